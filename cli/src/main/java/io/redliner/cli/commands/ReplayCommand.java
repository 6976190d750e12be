// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.controller.core.replay.Journal;
import io.redliner.controller.core.replay.Replay;
import io.redliner.controller.core.replay.Replay.BoundsOverride;
import io.redliner.controller.core.replay.ReplayDiffFormatter;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.Ratio;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner replay}: decides a finished run again from its journal. */
@Command(name = "replay", mixinStandardHelpOptions = true, description = {
    "Decides a run again from its journal, and says whether the same comes out.",
    "With other bounds it shows which decisions would have been others."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:the decisions are the same, or other bounds were given", "1:there is no journal, or it could not be had",
        "2:the command line cannot be understood", "99:the decisions are not the same"})
final class ReplayCommand implements Callable<Integer> {

    private static final int NOT_THE_SAME = 99;

    @Parameters(paramLabel = "RUN", description = "The id of a run or its first letters, or a file that its journal was saved in.")
    private String run = "";

    @Option(names = "--max-share", paramLabel = "SHARE", description = "What if no share had been above this, as 30%%.")
    private @Nullable String maxShare;

    @Option(names = "--max-raise", paramLabel = "FACTOR", description = "What if no raise had been larger, as 1.5x.")
    private @Nullable String maxRaise;

    @Option(names = "--max-duration", paramLabel = "DURATION", description = "What if the run had had to end by then, as 10m.")
    private @Nullable String maxDuration;

    @Option(names = "--harm-budget", paramLabel = "RATIO", description = "What if so much harm had been allowed, as 0.01%%.")
    private @Nullable String harmBudget;

    @Mixin
    private final ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BoundsOverride override = new BoundsOverride(bound("--max-share", maxShare, Share::parse),
                bound("--max-raise", maxRaise, text -> Factor.parse(text).asDouble()),
                bound("--max-duration", maxDuration, DurationText::parse),
                bound("--harm-budget", harmBudget, text -> Ratio.parse(text).asDouble()));
        Journal journal = new RunJsonMapper().journal(lines().iterator());
        List<Replay.Difference> differences = Replay.again(journal, override);
        List<String> differenceLines = differences.stream().map(ReplayDiffFormatter::of).toList();
        String summary = ReplayDiffFormatter.summary(journal, differences);
        ObjectNode answer = new JsonMapper().createObjectNode();
        differenceLines.forEach(answer.putArray("differences")::add);
        answer.put("summary", summary);
        options.print(answer, Stream.concat(differenceLines.stream(), Stream.of(summary)).toList());
        return differences.isEmpty() || !override.equals(BoundsOverride.OWN) ? 0 : NOT_THE_SAME;
    }

    private <T> @Nullable T bound(String option, @Nullable String text, Function<String, T> parser) {
        try {
            return text == null ? null : parser.apply(text);
        } catch (IllegalArgumentException malformed) {
            throw new ParameterException(spec.commandLine(), option + " '" + text + "' " + malformed.getMessage());
        }
    }

    private List<String> lines() throws IOException, InterruptedException {
        Path file = Path.of(run);
        if (Files.exists(file) && !Files.isDirectory(file)) {
            try {
                return Utf8.decodeFile(Files.readAllBytes(file)).lines().toList();
            } catch (NotUtf8Exception otherEncoding) {
                throw FileFailure.of(file, otherEncoding);
            }
        }
        try (ControllerClient controller = options.connect()) {
            byte[] journal = RunIdParameter.find(run, spec, controller, RunIdPrefix.RUNS_ALONE,
                    path -> controller.download(path + "/journal")).view();
            return new String(journal, StandardCharsets.UTF_8).lines().toList();
        }
    }
}
