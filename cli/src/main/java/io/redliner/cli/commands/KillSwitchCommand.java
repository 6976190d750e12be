// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;
import static io.redliner.cli.client.TerminalSafeText.time;

import io.redliner.cli.client.ControllerClient;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner kill-switch}: who stopped everything and why; stops everything; lets runs begin again. */
@Command(name = "kill-switch", mixinStandardHelpOptions = true, description = {
    "Says whether the kill switch is engaged, who did it and why; engages it, as redliner stop does; or releases it.",
    "A release takes its own word, a reason and the role admin."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:done, or shown; after engage, no run was live, or traffic is natural, measured",
        "1:the controller did not do it",
        "2:the command line cannot be understood", "106:engaged, and it is not known that traffic is natural"})
final class KillSwitchCommand extends ControllerCommand {

    private static final Duration POLL = Duration.ofMillis(200);

    /** The time after which a restore is expected to be over. */
    private static final Duration RESTORE_TIMEOUT = Duration.ofSeconds(30);

    /** Actions on the kill switch. */
    enum Action {
        /** Show it. */
        SHOW,
        /** Restore all traffic, and let nothing begin. */
        ENGAGE,
        /** Let runs begin again. */
        RELEASE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@code redliner stop}. */
    @Command(name = "stop", mixinStandardHelpOptions = true, description = {
        "Engages the kill switch: ends every run, restores all traffic, lets nothing begin; waits until traffic is natural.",
        "Needs no reason. Ctrl-C ends the waiting alone. redliner kill-switch release --reason TEXT lets runs begin again."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
            "0:engaged; no run was live, or traffic is natural, measured", "1:the controller did not take it",
            "2:the command line cannot be understood", "106:engaged, and it is not known that traffic is natural"})
    static final class Stop extends ControllerCommand {

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the audit log. May be left out.")
        private @Nullable String reason;

        @Override
        int call(ControllerClient controller) throws IOException, InterruptedException {
            return engage(controller, reason, options);
        }
    }

    @Parameters(paramLabel = "ACTION", arity = "0..1", defaultValue = "show", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Action action = Action.SHOW;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the audit log. Needed to release, may be left out to engage.")
    private @Nullable String reason;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        if (action == Action.RELEASE && (reason == null || reason.isBlank())) {
            throw mistake("A release needs a reason: redliner kill-switch release --reason TEXT");
        }
        if (action == Action.SHOW && reason != null) {
            throw mistake("--reason goes with engage or release: redliner kill-switch engage --reason TEXT");
        }
        return switch (action) {
            case SHOW -> {
                JsonNode state = controller.killSwitch();
                options.print(state, lines(state));
                yield 0;
            }
            case ENGAGE -> engage(controller, reason, options);
            case RELEASE -> release(controller, String.valueOf(reason));
        };
    }

    /** Returns what is known of the switch, and of the traffic since it was engaged. */
    static List<String> lines(JsonNode state) {
        if (!state.path("engaged").asBoolean()) {
            String last = text(state.path("actor"));
            return List.of("The kill switch is not engaged."
                    + (last.isEmpty() ? "" : " Last changed by " + describe(state)));
        }
        List<String> lines = new ArrayList<>(
                List.of("THE KILL SWITCH IS ENGAGED since " + time(state.path("at")) + " by "
                        + text(state.path("actor")) + ": " + text(state.path("reason"))
                        + ". Nothing begins until it is released."));
        String traffic = text(state.at("/traffic/words"));
        lines.add(traffic.isEmpty() ? "It is not known whether traffic is natural." : traffic);
        return lines;
    }

    private static String describe(JsonNode state) {
        return text(state.path("actor")) + ", " + time(state.path("at")) + ": " + text(state.path("reason"));
    }

    /** Engages the switch first, then waits until the traffic that runs had moved is natural. Returns the exit code. */
    private static int engage(ControllerClient controller, @Nullable String reason, ClientOptions options)
            throws IOException, InterruptedException {
        ObjectNode order = controller.object();
        if (reason != null && !reason.isBlank()) {
            order.put("reason", reason);
        }
        JsonNode engaged = controller.engageKillSwitch(order, options::note);
        options.progress("The kill switch is engaged, by " + describe(engaged) + ". Every run ends, nothing begins.");
        if (!engaged.path("stored").asBoolean(true)) {
            options.progress("The database does not answer. The switch is in force all the same, and stored later.");
        }
        if (!order.has("reason")) {
            options.progress("Say why when there is time: redliner kill-switch engage --reason TEXT");
        }
        JsonNode state = awaited(controller, engaged, options::here);
        String traffic = state.at("/traffic/state").asString("");
        options.print(state, List.of(traffic.isEmpty()
                ? "It is not known whether traffic is natural: see redliner kill-switch"
                : text(state.at("/traffic/words"))));
        return traffic.equals("NATURAL") || traffic.equals("NOT_MOVED") ? 0 : ExitCode.UNSAFE.code();
    }

    /** Returns the state as soon as no traffic is being restored any more, or after half a minute. */
    static JsonNode awaited(ControllerClient controller, JsonNode engaged, InstantSource clock)
            throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Instant deadline = clock.instant().plus(RESTORE_TIMEOUT);
        JsonNode state;
        do {
            try {
                state = controller.killSwitch();
            } catch (IOException unanswered) {
                // The switch is in force. What it did can be asked for later.
                return engaged;
            }
        } while (state.at("/traffic/state").asString("").equals("RESTORING") && clock.instant().isBefore(deadline)
                && !never.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
        return state;
    }

    private int release(ControllerClient controller, String why) throws IOException, InterruptedException {
        JsonNode before = controller.killSwitch();
        if (!before.path("engaged").asBoolean()) {
            options.print(before, lines(before));
            return 0;
        }
        JsonNode released = controller.delete(ControllerClient.KILL_SWITCH + "?reason=" + ClientOptions.encode(why));
        options.print(released, List.of("It had been engaged by " + describe(before),
                "Released by " + describe(released) + ". Runs can begin again."));
        return 0;
    }
}
