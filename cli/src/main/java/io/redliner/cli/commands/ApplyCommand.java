// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.PlanRejectedException;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner apply}: stores all plans of a folder. */
@Command(name = "apply", mixinStandardHelpOptions = true, description = {
    "Stores the plans of a folder (*.yaml, *.yml, *.json), and says what is new and what changes. Deletes nothing.",
    "Stores none when a file has a mistake. Files without kind: CapacityTest are left out."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:all are stored; with --dry-run, all could be", "1:not all could be stored",
        "2:the command line cannot be understood, or the folder has no plan",
        "104:a file has a mistake; nothing was stored"})
final class ApplyCommand extends ControllerCommand {

    private static final Pattern PLAN_FILE = Pattern.compile(".+\\.(?:ya?ml|json)");

    private static final Pattern KIND = Pattern.compile("(?m)(?:^|[{,])\\s*\"?kind\"?\\s*:\\s*[\"']?CapacityTest\\b");

    @Parameters(paramLabel = "DIR", description = "A folder with plan files; folders in it are left out.")
    private Path folder = Path.of("");

    @Option(names = "--dry-run", description = "Say what would change, and store nothing.")
    private boolean dryRun;

    /** Relations of a plan to the stored one of its name. */
    private enum Change {
        NEW, CHANGED, SAME
    }

    /**
     * A plan file without mistakes.
     *
     * @param hash of what it says
     */
    private record PlanFile(Path file, String text, String name, String hash) {}

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        if (!Files.isDirectory(folder)) {
            throw mistake(Files.exists(folder)
                    ? folder + " is no folder; a single plan is started with redliner run " + folder
                    : "There is no folder " + folder.toAbsolutePath());
        }
        Map<Path, String> texts = texts();
        if (texts.isEmpty()) {
            throw mistake("No file in " + folder.toAbsolutePath()
                    + " is a plan: one ends with .yaml, .yml or .json, and has kind: CapacityTest");
        }
        List<PlanFile> plans = new ArrayList<>();
        if (!areValid(controller, texts, plans)) {
            options.note("redliner apply: nothing was stored");
            return ExitCode.BAD_PLAN.code();
        }
        ArrayNode items = controller.object().putArray("plans");
        List<String> lines = new ArrayList<>();
        for (PlanFile plan : plans) {
            store(controller, plan, items, lines);
        }
        ObjectNode answer = controller.object().put("dryRun", dryRun);
        answer.set("plans", items);
        options.print(answer, lines);
        return 0;
    }

    /** Returns the texts of the plan files in the order of their names, and names the other files that could have been one. */
    private Map<Path, String> texts() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> PLAN_FILE.matcher(file.getFileName().toString()).matches()
                    && Files.isRegularFile(file)).sorted().toList();
        }
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Path file : files) {
            try {
                String text = Utf8.decodeFile(Files.readAllBytes(file));
                if (KIND.matcher(text).find()) {
                    texts.put(file, text);
                } else {
                    options.note("Left out " + file + ": it has no kind: CapacityTest");
                }
            } catch (NotUtf8Exception garbled) {
                throw FileFailure.of(file, garbled);
            }
        }
        return texts;
    }

    /** Adds the plans, and prints all mistakes. Returns false when there is one. */
    private boolean areValid(ControllerClient controller, Map<Path, String> texts, List<PlanFile> plans)
            throws IOException, InterruptedException {
        boolean valid = true;
        Map<String, Path> names = new LinkedHashMap<>();
        for (Map.Entry<Path, String> file : texts.entrySet()) {
            try {
                JsonNode answer = controller.validate(file.getValue());
                String name = text(answer.at("/plan/metadata/name"));
                Path other = names.putIfAbsent(name, file.getKey());
                if (other != null) {
                    options.note(file.getKey() + ": has the name " + name + ", as has " + other);
                    valid = false;
                }
                plans.add(new PlanFile(file.getKey(), file.getValue(), name, text(answer.path("hash"))));
            } catch (PlanRejectedException rejected) {
                rejected.mistakes().forEach(mistake -> options.note(file.getKey() + mistake));
                valid = false;
            }
        }
        return valid;
    }

    private void store(ControllerClient controller, PlanFile plan, ArrayNode items, List<String> lines)
            throws IOException, InterruptedException {
        Change change = change(controller, plan);
        if (!dryRun && change != Change.SAME) {
            try {
                controller.put("/api/v1/plans/" + plan.name, "application/yaml", plan.text);
            } catch (IOException failure) {
                lines.forEach(options::note);
                throw new IOException("plan " + plan.name + " of " + plan.file + " and those after it are not stored: "
                        + failure.getMessage(), failure);
            }
        }
        items.addObject().put("name", plan.name).put("file", plan.file.toString()).put("change", change.name());
        String done = switch (change) {
            case NEW -> dryRun ? "would be new" : "is new";
            case CHANGED -> dryRun ? "would change" : "changed";
            case SAME -> "is the same";
        };
        lines.add("Plan " + plan.name + " " + done + " (" + plan.file + ")");
    }

    private static Change change(ControllerClient controller, PlanFile plan) throws IOException, InterruptedException {
        try {
            return text(controller.get("/api/v1/plans/" + plan.name).path("hash")).equals(plan.hash)
                    ? Change.SAME
                    : Change.CHANGED;
        } catch (RequestRejectedException rejected) {
            if (rejected.notFound()) {
                return Change.NEW;
            }
            throw rejected;
        }
    }
}
