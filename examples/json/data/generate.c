/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints data/large.json: the records of a made-up tram company, the same on every machine. */
#include <stdint.h>
#include <stdio.h>

enum { STOPS = 80 };

static const char *const names[] = {
	"Harbour", "Old Mill",	"Königsplatz", "Station Road", "Rosengård", "Saint-Élie",
	"Museum",  "Nørre Bro", "Fish Market", "Tower Hill",   "Lindenhof", "Water Works",
};
static const char *const notes[] = {
	("Lift out of order since Monday: \\\"use the ramp\\\" at the north side.\\n"
	 "Reported by a driver, seen again by the morning shift.\\n\\n"
	 "Until then line 12 stops at platform 1, where the step is lower."),
	"Shelter cleaned.",
	("Tickets: zones A\\/B. The machine takes coins only \\u2014 cards from\\n"
	 "\\\"next spring\\\" on. Whoever has no coins may pay at the kiosk."),
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

		printf("%s{\"line\":%u,\"at\":\"%02u:%02u\"}", i ? ", " : "", line, minute / 60,
		       minute % 60);
	}
	printf("],\"delays\":[");
	for (int i = 0; i < 4; i++)
		printf("%s%u", i ? "," : "", draw(state, 480));
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
	printf("\"place\":[%u.%05u,-%u.%04u,%u],", lat / 100000, lat % 100000, lon / 10000,
	       lon % 10000, height);
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
