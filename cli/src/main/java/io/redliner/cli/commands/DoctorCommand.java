// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.NoControllerException;
import io.redliner.cli.commands.DoctorChecks.Check;
import io.redliner.cli.commands.DoctorChecks.Status;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner doctor}: what is connected, what is missing, and what to do. */
@Command(name = "doctor", mixinStandardHelpOptions = true, description = {
    "Says what is connected, what is missing and what to do: controller, database, Kafka, redirectors, proxies, observations, clock.",
    "Changes nothing."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {"0:all is there",
        "1:something is missing", "2:the command line cannot be understood",
        "98:nothing is missing as far as is known, and something is not known"})
final class DoctorCommand extends ControllerCommand {

    /** Services whose newest run is asked for. */
    private static final int MAX_OBSERVED = 50;

    @Option(names = "--service", paramLabel = "SERVICE", description = "Look at this service alone.")
    private @Nullable String service;

    private final List<Check> checks = new ArrayList<>();

    /** A question to the controller. */
    @FunctionalInterface
    private interface Question {

        JsonNode ask() throws IOException, InterruptedException;
    }

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        look(controller);
        Status worst = DoctorChecks.worst(checks);
        ObjectNode answer = DoctorChecks.document(checks);
        List<String> lines = new ArrayList<>();
        checks.forEach(check -> lines.addAll(check.lines()));
        lines.add("");
        lines.add(DoctorChecks.summary(checks));
        options.print(answer, lines);
        return switch (worst) {
            case OK -> 0;
            case UNKNOWN -> ExitCode.INCONCLUSIVE.code();
            case FAULT -> 1;
        };
    }

    private void look(ControllerClient controller) throws IOException, InterruptedException {
        JsonNode health;
        Check caller;
        try {
            health = controller.health();
            caller = caller(controller);
        } catch (IOException unanswered) {
            checks.add(new Check(Status.FAULT, "controller", String.valueOf(unanswered.getMessage()),
                    "start it, with redliner up --services FILE on this machine, or set --url or REDLINER_URL"));
            return;
        }
        checks.add(new Check(Status.OK, "controller", "answers at " + controller, ""));
        checks.add(DoctorChecks.clock(controller.answeredAt().orElse(null), options.here()));
        checks.addAll(DoctorChecks.health(health));
        checks.add(caller);
        ask("kill switch", controller::killSwitch).map(DoctorChecks::killSwitch)
                .ifPresent(checks::add);
        Optional<JsonNode> services = ask("redirectors", () -> controller.list("/api/v1/services"));
        if (services.isPresent()) {
            options.requireService(controller, service);
            services(controller, services.get().path("items").valueStream()
                    .filter(item -> service == null || item.path("name").asString("").equals(service)).toList());
        }
    }

    private static Check caller(ControllerClient controller) throws NoControllerException, InterruptedException {
        try {
            return DoctorChecks.caller(controller.whoAmI());
        } catch (NoControllerException another) {
            throw another;
        } catch (IOException unanswered) {
            return new Check(Status.UNKNOWN, "caller", String.valueOf(unanswered.getMessage()), "");
        }
    }

    private void services(ControllerClient controller, List<JsonNode> services)
            throws IOException, InterruptedException {
        if (services.isEmpty()) {
            checks.add(DoctorChecks.noService(service));
        }
        for (JsonNode known : services.subList(0, Math.min(MAX_OBSERVED, services.size()))) {
            checks.addAll(DoctorChecks.service(known));
            String name = known.path("name").asString("");
            Optional<JsonNode> runs = ask("observations of " + name,
                    () -> controller.list("/api/v1/runs?limit=1&service=" + ClientOptions.encode(name)));
            if (runs.isPresent()) {
                String id = runs.get().at("/items/0/id").asString("");
                Optional<JsonNode> newest = id.isEmpty()
                        ? Optional.of(controller.object())
                        : ask("observations of " + name, () -> controller.get("/api/v1/runs/" + id));
                newest.map(run -> DoctorChecks.observations(name, run, options.now(controller))).ifPresent(checks::add);
            }
        }
        if (services.size() > MAX_OBSERVED) {
            checks.add(new Check(Status.UNKNOWN, "other services",
                    services.size() - MAX_OBSERVED + " more were not looked at", "name one with --service"));
        }
    }

    /** Asks; a question without an answer is a check that is not known. */
    private Optional<JsonNode> ask(String subject, Question question) throws InterruptedException {
        try {
            return Optional.of(question.ask());
        } catch (IOException unanswered) {
            checks.add(new Check(Status.UNKNOWN, subject, String.valueOf(unanswered.getMessage()), ""));
            return Optional.empty();
        }
    }
}
