// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code redliner compare}: a run against another one. */
@Command(name = "compare", mixinStandardHelpOptions = true, description = {
    "Says whether the capacity changed from OTHER to RUN, by more than both intervals explain, and what else did.",
    "Runs that cannot be compared are named so, with the reason."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the capacity is higher, or no change is shown, and both are sure",
        "1:there is no such run, or the controller could not be asked",
        "2:the command line cannot be understood",
        "98:the runs cannot be compared, a change cannot be known, or it is no fall and one of both is not sure or"
                + " ended with 106",
        "99:the capacity is lower"})
final class CompareCommand extends ControllerCommand {

    private static final String PAGE = "&format=html";

    @Parameters(index = "0", paramLabel = "RUN", description = RunIdParameter.DESCRIPTION)
    private String run = "";

    @Parameters(index = "1", paramLabel = "OTHER", description = "The run to compare it with, usually an earlier one.")
    private String other = "";

    @Option(names = "--out", paramLabel = "FILE", description = "Write it there, too, as an HTML page; - is the standard"
            + " output, and the page is all that is printed.")
    private @Nullable Path file;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        String path = found(run, controller).path() + "/comparison?with="
                + ClientOptions.encode(found(other, controller).id());
        JsonNode comparison = controller.get(path);
        if (file == null) {
            options.print(comparison, lines(comparison));
        } else if (OutputFile.STANDARD_OUTPUT.equals(file)) {
            options.out().print(new String(controller.download(path + PAGE), StandardCharsets.UTF_8));
            options.out().flush();
        } else {
            options.print(comparison, lines(comparison));
            try (OutputFile output = new OutputFile(file)) {
                byte[] page = controller.download(path + PAGE);
                output.write(page);
                options.note("Wrote " + file.toAbsolutePath() + " (" + page.length + " bytes)");
            }
        }
        return exitCode(comparison);
    }

    private RunIdParameter.Found<JsonNode> found(String id, ControllerClient controller)
            throws IOException, InterruptedException {
        return RunIdParameter.find(id, spec, controller, RunIdPrefix.RUNS_ALONE, controller::get);
    }

    private static int exitCode(JsonNode comparison) {
        return switch (text(comparison.at("/change/significance"))) {
            case "RISE", "NOT_SIGNIFICANT" -> sure(comparison.at("/run/answer"))
                    && sure(comparison.at("/other/answer")) ? 0 : 98;
            case "FALL" -> 99;
            default -> 98;
        };
    }

    private static boolean sure(JsonNode answer) {
        return text(answer.at("/certainty/level")).equals("SURE") && answer.path("exitCode").asInt(-1) == 0;
    }

    private static List<String> lines(JsonNode comparison) {
        List<String> lines = new ArrayList<>(List.of(text(comparison.path("summary"))));
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode one : comparison.path("differences")) {
            rows.add(List.of(text(one.path("name")), text(one.path("run")), text(one.path("other")),
                    text(one.path("verdict")).toLowerCase(Locale.ROOT)));
        }
        lines.addAll(ClientOptions.LAYOUT.table(List.of("WHAT", "RUN", "OTHER", "VERDICT"), rows));
        return lines;
    }
}
