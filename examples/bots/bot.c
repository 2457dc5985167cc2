/* A bot for every game in C, without a library: it finds the legal moves by hand, and plays
 * any of them.
 *
 * gcc -O2 -o bot examples/bots/bot.c
 * rookery match ./bot level1 --game tictactoe --games 10
 */

#define _POSIX_C_SOURCE 200809L /* for getline: a line may be long */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The type always comes first. */
static int is(const char *line, const char *start) {
    return strncmp(line, start, strlen(start)) == 0;
}

/* "moves":["0,1","0,2"]: no move has a quote in it. Play the one of this number; say how
 * many there are. With number -1 nothing is played. */
static int moves(const char *line, int number) {
    const char *at = strstr(line, "\"moves\":[");
    int count = 0;
    if (at == NULL) return 0;
    at += strlen("\"moves\":[");
    while (*at == '"') {
        const char *end = strchr(++at, '"');
        if (end == NULL) break;
        if (count == number)
            printf("{\"type\":\"play\",\"move\":\"%.*s\"}\n", (int)(end - at), at);
        count++;
        at = end[1] == ',' ? end + 2 : end + 1;
    }
    return count;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    while (getline(&line, &room, stdin) > 0) {
        if (is(line, "{\"type\":\"begin\"")) printf("{\"type\":\"ready\"}\n");
        if (is(line, "{\"type\":\"turn\"")) {
            int count = moves(line, -1);
            if (count > 0) moves(line, rand() % count);
        }
        if (is(line, "{\"type\":\"quit\"")) break;
        fflush(stdout); /* or nothing arrives */
    }
    free(line);
    return 0;
}
