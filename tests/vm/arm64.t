#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The programs of arm64.plan in their guest.
"$(dirname "$0")/../../scripts/vm" arm64
status=$?
[ "$status" -ne 77 ] || exit 0
exit "$status"
