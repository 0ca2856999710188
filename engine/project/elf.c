/* SPDX-License-Identifier: BSD-2-Clause */
#include "elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "../../stats/fnv.h"

/*
 * Only headers and notes are read, each bounded by the file's size; nothing of the file is believed
 * further. Segments come first: they work without section headers.
 */
#define ELF_BYTES_MAX (UINT64_C(4) << 30)
#define NOTES_MAX     (1 << 20) /* bytes of one note segment */
#define PHDRS_MAX     1024
#define SYMBOLS_MAX   (4 << 20)

DEFINE_CLEANUP(cleanup_elf, Elf *, (void)elf_end);

static void take_note(struct elf_facts *facts, const GElf_Nhdr *n, const char *name,
		      const unsigned char *desc)
{
	if (n->n_type == 1 && n->n_namesz == sizeof("joust") &&
	    !memcmp(name, "joust", sizeof("joust")))
		facts->worker = true;
	if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(name, "GNU", 4) &&
	    n->n_descsz && n->n_descsz <= 20 && !facts->build_id[0]) {
		for (size_t i = 0; i < n->n_descsz; i++)
			(void)snprintf(facts->build_id + 2 * i, 3, "%02x", desc[i]);
	}
}

/* gelf_getnote checks every length against the data. */
static void take_notes(struct elf_facts *facts, Elf_Data *data)
{
	size_t at = 0, name, desc, next;
	GElf_Nhdr n;

	while (at < data->d_size && (next = gelf_getnote(data, at, &n, &name, &desc)) > at) {
		take_note(facts, &n, (const char *)data->d_buf + name,
			  (const unsigned char *)data->d_buf + desc);
		at = next;
	}
}

static void scan_segments(Elf *elf, uint64_t size, struct elf_facts *facts)
{
	size_t cnt = 0;

	if (elf_getphdrnum(elf, &cnt))
		return;
	for (size_t i = 0; i < cnt && i < PHDRS_MAX; i++) {
		GElf_Phdr ph;
		Elf_Data *data;

		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		facts->dynamic |= ph.p_type == PT_INTERP;
		if (ph.p_type != PT_NOTE)
			continue;
		if (ph.p_filesz > NOTES_MAX || ph.p_offset > size ||
		    ph.p_filesz > size - ph.p_offset)
			continue;
		data = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
					    ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (data)
			take_notes(facts, data);
	}
}

/* Libraries before linking and odd linkers have notes in sections alone. */
static void scan_sections(Elf *elf, uint64_t size, struct elf_facts *facts)
{
	Elf_Scn *scn = NULL;
	unsigned seen = 0;

	while ((scn = elf_nextscn(elf, scn)) && seen++ < 65536) {
		GElf_Shdr sh;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE ||
		    sh.sh_flags & SHF_COMPRESSED)
			continue;
		if (sh.sh_size > NOTES_MAX || sh.sh_offset > size ||
		    sh.sh_size > size - sh.sh_offset)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			take_notes(facts, data);
	}
}

static int read_elf(int fd, uint64_t size, struct elf_facts *ret)
{
	CLEANUP(cleanup_elf) Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	struct elf_facts facts = {0};
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return -ENOEXEC;
	facts.loadable = header.e_type == ET_EXEC || header.e_type == ET_DYN;
	scan_segments(elf, size, &facts);
	if (!facts.worker || !facts.build_id[0])
		scan_sections(elf, size, &facts);
	*ret = facts;
	return 0;
}

static int open_elf(int dir, const char *name, uint64_t *ret_size)
{
	AUTO_FD int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char magic[SELFMAG];
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(Elf32_Ehdr))
		return -ENOEXEC;
	if (pread(fd, magic, sizeof(magic), 0) != sizeof(magic) || memcmp(magic, ELFMAG, SELFMAG))
		return -ENOEXEC; /* most files of a tree end here, and no archive goes further */
	if ((uint64_t)st.st_size > ELF_BYTES_MAX)
		return -EFBIG;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return -ENOSYS;
	*ret_size = (uint64_t)st.st_size;
	return TAKE_FD(fd);
}

int elf_facts_at(int dir, const char *name, struct elf_facts *ret)
{
	uint64_t size = 0;
	AUTO_FD int fd = open_elf(dir, name, &size);

	return fd < 0 ? fd : read_elf(fd, size, ret);
}

struct function {
	uint64_t address;
	const char *name; /* libelf's, within the file's string table */
};

static int by_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name); /* aliases: in one order, whatever the linker's */
}

static Elf_Scn *symbol_table(Elf *elf, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;
	unsigned seen = 0;

	while ((scn = elf_nextscn(elf, scn)) && seen++ < 65536) {
		if (gelf_getshdr(scn, sh) && sh->sh_type == SHT_SYMTAB &&
		    !(sh->sh_flags & SHF_COMPRESSED))
			return scn;
	}
	return NULL;
}

static size_t take_functions(Elf *elf, Elf_Data *data, const GElf_Shdr *sh, struct function *ret)
{
	size_t cnt = 0;
	GElf_Sym sym;

	for (int i = 0; i < SYMBOLS_MAX && gelf_getsym(data, i, &sym); i++) {
		const char *name;

		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF ||
		    !sym.st_size)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name)
			ret[cnt++] = (struct function){sym.st_value, name};
	}
	return cnt;
}

/* Over the names with their ends. */
static uint64_t hash_names(const struct function *f, size_t cnt)
{
	uint64_t h = FNV1A64_BASIS;

	for (size_t i = 0; i < cnt; i++) {
		const char *c = f[i].name;

		do
			h = fnv1a64_add(h, (unsigned char)*c);
		while (*c++);
	}
	return h;
}

static int read_order(int fd, uint64_t *ret_hash, size_t *ret_cnt)
{
	CLEANUP(cleanup_elf) Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	AUTO_FREE struct function *f = NULL;
	GElf_Shdr sh = {0};
	Elf_Scn *scn;
	Elf_Data *data;
	size_t room;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return -ENOEXEC;
	scn = symbol_table(elf, &sh);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	*ret_hash = *ret_cnt = 0;
	if (!data || !data->d_buf)
		return 0;
	room = data->d_size / sizeof(Elf32_Sym) + 1;
	f = calloc(room < SYMBOLS_MAX ? room : SYMBOLS_MAX, sizeof(*f));
	if (!f)
		return -ENOMEM;
	*ret_cnt = take_functions(elf, data, &sh, f);
	qsort(f, *ret_cnt, sizeof(*f), by_address);
	*ret_hash = hash_names(f, *ret_cnt);
	return 0;
}

int elf_function_order(const char *path, uint64_t *ret_hash, size_t *ret_cnt)
{
	uint64_t size = 0;
	AUTO_FD int fd = open_elf(AT_FDCWD, path, &size);

	return fd < 0 ? fd : read_order(fd, ret_hash, ret_cnt);
}

static int read_interpreter(int fd, char **ret)
{
	CLEANUP(cleanup_elf) Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	char text[PATH_MAX];
	GElf_Phdr ph;
	size_t cnt = 0;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &cnt))
		return -ENOEXEC;
	for (size_t i = 0; i < cnt && i < PHDRS_MAX; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_INTERP)
			continue;
		if (!ph.p_filesz || ph.p_filesz > sizeof(text) || ph.p_offset > INT64_MAX ||
		    pread(fd, text, ph.p_filesz, (off_t)ph.p_offset) != (ssize_t)ph.p_filesz)
			return -ENOEXEC;
		*ret = strndup(text, ph.p_filesz);
		return *ret ? 0 : -ENOMEM;
	}
	return -ENOENT;
}

int elf_interpreter(const char *path, char **ret)
{
	uint64_t size = 0;
	AUTO_FD int fd = open_elf(AT_FDCWD, path, &size);

	return fd < 0 ? fd : read_interpreter(fd, ret);
}

bool elf_is_worker(const char *path)
{
	struct elf_facts facts;

	return !elf_facts_at(AT_FDCWD, path, &facts) && facts.worker;
}

bool elf_is_dynamic(const char *path)
{
	struct elf_facts facts;

	return !elf_facts_at(AT_FDCWD, path, &facts) && facts.dynamic;
}

int elf_build_id(const char *path, char ret[static 41])
{
	struct elf_facts facts;
	int err = elf_facts_at(AT_FDCWD, path, &facts);

	if (!err)
		memcpy(ret, facts.build_id, sizeof(facts.build_id));
	return err;
}
