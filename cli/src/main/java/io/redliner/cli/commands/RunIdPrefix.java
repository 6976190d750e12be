// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;
import static io.redliner.cli.client.TerminalSafeText.time;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.JsonNode;

/**
 * The first letters of the id of a run or a series.
 *
 * @param spec of the command that takes them
 */
record RunIdPrefix(String letters, CommandSpec spec) {

    private static final String RUNS = "/api/v1/runs";

    static final List<String> RUNS_ALONE = List.of(RUNS);

    static final List<String> RUNS_AND_SERIES = List.of(RUNS, "/api/v1/series");

    /** Fewer letters could easily be another run's than the one that was meant. */
    static final int MIN_LETTERS = 4;

    /** Letters of a whole id. */
    private static final int ID_LETTERS = 36;

    /** The newest runs and series that are looked through, {@code PAGES} times a page of each. */
    private static final int PAGES = 5;

    private static final int PAGE = 200;

    private static final int MAX_SHOWN = 10;

    /**
     * Returns the path of the one run or series, of the newest thousand of each, whose id begins so.
     *
     * @param lists paths of the API whose items are looked through
     * @param rejected the answer to a request with the letters as a whole id; it is thrown when there is none
     * @throws ParameterException when there are several; the message has them
     */
    String path(ControllerClient controller, List<String> lists, RequestRejectedException rejected)
            throws IOException, InterruptedException {
        if (letters.length() >= ID_LETTERS) {
            throw rejected;
        }
        if (letters.length() < MIN_LETTERS) {
            throw rejected.with("Give the id, or at least its first " + MIN_LETTERS + " letters");
        }
        List<String> paths = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        for (String list : lists) {
            for (JsonNode item : beginning(controller, list)) {
                paths.add(list + "/" + text(item.path("id")));
                shown.add("  " + describe(item));
            }
        }
        if (paths.isEmpty()) {
            throw rejected.with("No id of the newest " + PAGES * PAGE + " runs begins so, either: see redliner status");
        }
        if (paths.size() > 1) {
            throw new ParameterException(spec.commandLine(), "'" + letters + "' could be one of " + paths.size()
                    + ", give more letters of its id:\n"
                    + shown.stream().limit(MAX_SHOWN).collect(Collectors.joining("\n"))
                    + (shown.size() > MAX_SHOWN ? "\n  ..." : ""));
        }
        return paths.getFirst();
    }

    private List<JsonNode> beginning(ControllerClient controller, String list)
            throws IOException, InterruptedException {
        String small = letters.toLowerCase(Locale.ROOT);
        List<JsonNode> found = new ArrayList<>();
        String next = "";
        for (int page = 0; page < PAGES; page++) {
            JsonNode answer = controller.list(list + "?limit=" + PAGE + next);
            answer.path("items").valueStream()
                    .filter(item -> item.path("id").asString("").toLowerCase(Locale.ROOT).startsWith(small))
                    .forEach(found::add);
            if (!answer.hasNonNull("nextPageToken")) {
                break;
            }
            next = "&pageToken=" + ClientOptions.encode(answer.path("nextPageToken").asString(""));
        }
        return found;
    }

    private static String describe(JsonNode item) {
        String outcome = text(item.path("outcome"));
        return text(item.path("id")) + "  " + text(item.path("service")) + "  " + text(item.path("phase"))
                + (outcome.isEmpty() ? "" : ": " + outcome) + "  "
                + time(item.path(item.has("submittedAt") ? "submittedAt" : "createdAt"));
    }
}
