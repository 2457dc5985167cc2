// A bot for every game in Java 17, without a library: it reads the legal moves by hand. It
// takes the last move of the list in nim (a whole row), and elsewhere any of them.
//
// rookery match "java examples/bots/Bot.java" level1 --game nim --games 10

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;

public class Bot {
    private static final Random RANDOM = new Random();
    private static boolean nim;

    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = lines.readLine()) != null) {
            if (is(line, "begin")) {
                nim = line.contains("\"variant\":\"nim");
                say("{\"type\":\"ready\"}");
            } else if (is(line, "turn")) {
                say("{\"type\":\"play\",\"move\":\"" + choose(moves(line)) + "\"}");
            } else if (is(line, "quit")) {
                return;
            }
        }
    }

    static String choose(String[] moves) {
        return moves[nim ? moves.length - 1 : RANDOM.nextInt(moves.length)];
    }

    // "moves":["0,1","0,2"]: no move has a quote in it, so the list ends at the first "].
    static String[] moves(String line) {
        int start = line.indexOf("\"moves\":[\"") + "\"moves\":[\"".length();
        return line.substring(start, line.indexOf("\"]", start)).split("\",\"");
    }

    // The type always comes first.
    static boolean is(String line, String type) {
        return line.startsWith("{\"type\":\"" + type + "\"");
    }

    static void say(String answer) {
        System.out.println(answer);
        System.out.flush();
    }
}
