// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.controller.jdbc.RunJson;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.Ppm;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.replay.Journal;
import io.redliner.controller.replay.Policy;
import io.redliner.controller.replay.Replay;
import io.redliner.controller.replay.Telling;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code redliner replay}: decides a finished run again from its journal. */
@Command(name = "replay", mixinStandardHelpOptions = true, description = {
    "Decides a run again from its journal, and says whether the same comes out.",
    "With other bounds it shows which decisions would have been others.",
    "Exit codes: 0 when the decisions are the same, or other bounds were given; 99 when they are not."})
final class ReplayCommand implements Callable<Integer> {

    private static final int NOT_THE_SAME = 99;

    @Parameters(paramLabel = "RUN", description = "The id of a run, or a file that its journal was saved in.")
    private String run = "";

    @Option(names = "--url", paramLabel = "URL", defaultValue = "http://127.0.0.1:8080", description = "The controller (default: ${DEFAULT-VALUE}).")
    private URI url = URI.create("http://127.0.0.1:8080");

    @Option(names = "--token", paramLabel = "TOKEN", defaultValue = "${env:REDLINER_TOKEN}", description = "An API token (default: $REDLINER_TOKEN).")
    private @Nullable String token;

    @Option(names = "--max-share", paramLabel = "SHARE", description = "What if no share had been above this, as 30%%.")
    private @Nullable String maxShare;

    @Option(names = "--max-raise", paramLabel = "FACTOR", description = "What if no raise had been larger, as 1.5x.")
    private @Nullable String maxRaise;

    @Option(names = "--max-duration", paramLabel = "DURATION", description = "What if the run had had to end by then, as 10m.")
    private @Nullable String maxDuration;

    @Option(names = "--harm-budget", paramLabel = "RATIO", description = "What if so much harm had been allowed, as 0.01%%.")
    private @Nullable String harmBudget;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Policy policy = new Policy(maxShare == null ? null : Ppm.parse(maxShare),
                maxRaise == null ? null : Factor.parse(maxRaise).asDouble(),
                maxDuration == null ? null : DurationText.parse(maxDuration),
                harmBudget == null ? null : Ratio.parse(harmBudget).asDouble());
        Journal journal = new RunJson().journal(lines().iterator());
        List<Replay.Difference> differences = Replay.again(journal, policy);
        PrintWriter out = spec.commandLine().getOut();
        differences.forEach(difference -> out.println(Telling.of(difference)));
        out.println(Telling.summary(journal, differences));
        out.flush();
        return differences.isEmpty() || !policy.equals(Policy.OWN) ? 0 : NOT_THE_SAME;
    }

    private List<String> lines() throws IOException, InterruptedException {
        Path file = Path.of(run);
        if (Files.isRegularFile(file)) {
            return Files.readAllLines(file);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve("/api/v1/runs/" + run + "/journal"))
                .timeout(Duration.ofMinutes(1));
        if (token != null && !token.isBlank()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<Stream<String>> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofLines());
            List<String> lines = answer.body().toList();
            if (answer.statusCode() != 200) {
                throw new IOException("the controller at " + url + " answers " + answer.statusCode() + ": "
                        + String.join(" ", lines));
            }
            return lines;
        }
    }
}
