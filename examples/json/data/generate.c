/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints data/large.json: the records of a made-up tram company, the same on every machine. */
#include <stdint.h>
#include <stdio.h>

enum { STOPS = 48 };

static const char *const names[] = {"Harbour",	   "Old Mill",	 "Königsplatz", "Station Road",
				    "Rosengård",   "Saint-Élie", "Museum",	"Nørre Bro",
				    "Fish Market", "Tower Hill", "Lindenhof",	"Water Works"};
static const char *const notes[] = {
	"Lift out of order since Monday: \\\"use the ramp\\\" at the north side.\\nReported by a "
	"driver, "
	"seen again by the morning shift.\\nThe maker sends somebody \\\"within the week\\\".\\n\\n"
	"Until then line 12 stops at platform 1, where the step is lower; wheelchairs and prams "
	"get off "
	"one stop earlier.",
	"Shelter cleaned.",
	"Line 4 turns here on Sundays.\\nTickets: zones A\\/B. The machine takes coins only "
	"\\u2014 cards "
	"from \\\"next spring\\\" on.\\nWhoever has no coins may pay at the kiosk, which is open "
	"until "
	"eight; a ticket from the kiosk is good for both lines and for the ferry.",
	"Platform 2 is closed until further notice.",
	"The sign reads 'Nächster Halt' on both sides.",
	"Request stop: wave to the driver.",
};
static const char *const tags[] = {"ramp", "shelter", "kiosk", "night line", "bicycles", "lift"};

/* Numerical Recipes' generator; its high bits are good enough for made-up records. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)(*state >> 8) * below) >> 24);
}

static void print_tags(uint32_t *state)
{
	uint32_t count = draw(state, 4);

	printf(",\"tags\":[");
	for (uint32_t i = 0; i < count; i++)
		printf("%s\"%s\"", i ? "," : "", tags[draw(state, sizeof(tags) / sizeof(*tags))]);
	printf("]");
}

static void print_departures(uint32_t *state)
{
	printf(",\"departures\":[");
	for (int i = 0; i < 4; i++) {
		uint32_t line = draw(state, 24) + 1, minute = 300 + draw(state, 1140);
		uint32_t delay = draw(state, 480);

		printf("%s{\"line\":%u,\"at\":\"%02u:%02u\",\"delay\":%u}", i ? ", " : "", line,
		       minute / 60, minute % 60, delay);
	}
	printf("]");
}

static void print_stop(uint32_t *state, int id)
{
	const char *name = names[draw(state, sizeof(names) / sizeof(*names))];
	uint32_t lat = 4800000 + draw(state, 800000), lon = draw(state, 120000);
	uint32_t height = draw(state, 400);
	const char *open = draw(state, 5) ? "true" : "false";
	const char *owner = draw(state, 3) ? "null" : "\"city\"";

	printf("    {\"id\":%d,\"name\":\"%s\",", 7000 + id * 13, name);
	printf("\"place\":{\"lat\":%u.%05u,\"lon\":-%u.%04u,\"height\":%u},", lat / 100000,
	       lat % 100000, lon / 10000, lon % 10000, height);
	printf("\"open\":%s,\"owner\":%s", open, owner);
	print_tags(state);
	print_departures(state);
	printf(",\"note\":\"%s\"}", notes[draw(state, sizeof(notes) / sizeof(*notes))]);
}

int main(void)
{
	uint32_t state = 20260404;

	printf("{\n  \"version\": 3,\n  \"company\": \"Tram & Bus \\\"Linie Süd\\\"\",\n");
	printf("  \"stops\": [\n");
	for (int i = 0; i < STOPS; i++) {
		print_stop(&state, i);
		printf("%s\n", i + 1 < STOPS ? "," : "");
	}
	printf("  ]\n}\n");
	return 0;
}
