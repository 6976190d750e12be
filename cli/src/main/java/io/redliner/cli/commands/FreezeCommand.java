// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.instant;
import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.commands.InstantText.Side;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner freeze}: times in which no traffic is moved. */
@Command(name = "freeze", mixinStandardHelpOptions = true, description = {
    "Lists the freezes that are not over; adds one, which ends live runs as it begins; or ends one.",
    "redliner freeze add --service shop --from 'friday 18:00' --to 'monday 06:00' --reason 'long weekend'"}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:done", "1:the controller did not do it", "2:the command line cannot be understood"})
final class FreezeCommand extends ControllerCommand {

    private static final String FREEZES = "/api/v1/freezes";

    /** Actions on freezes. */
    enum Action {
        /** Show them. */
        LIST,
        /** Add one. */
        ADD,
        /** End one. */
        END;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(index = "0", paramLabel = "ACTION", arity = "0..1", defaultValue = "list", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Action action = Action.LIST;

    @Parameters(index = "1", paramLabel = "ID", arity = "0..1", description = "To end: the id of the freeze, or its first letters.")
    private @Nullable String id;

    @Option(names = "--service", paramLabel = "SERVICE", description = "To add: what is frozen; without it all services, which takes the role admin. To list: the freezes of it.")
    private @Nullable String service;

    @Option(names = "--from", paramLabel = "TIME", description = "To add: when it begins, as 'tomorrow 03:00' or 2h from now (default: now).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "To add: when it ends; an amount as 2h counts from now, a weekday or a time alone from --from.")
    private @Nullable String to;

    @Option(names = "--reason", paramLabel = "TEXT", description = "To add: why.")
    private @Nullable String reason;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        boolean describes = from != null || to != null || reason != null;
        if ((action != Action.ADD && describes) || (action == Action.END && service != null)) {
            throw mistake("--from, --to and --reason go with freeze add"
                    + (action == Action.END ? "; end takes an ID alone" : ""));
        }
        if ((action == Action.END) != (id != null)) {
            throw mistake(action == Action.END
                    ? "Name the freeze: redliner freeze end ID. redliner freeze lists them"
                    : "'" + id + "' goes with freeze end alone");
        }
        switch (action) {
            case LIST -> list(controller);
            case ADD -> add(controller);
            case END -> end(controller, String.valueOf(id));
        }
        return 0;
    }

    private void list(ControllerClient controller) throws IOException, InterruptedException {
        JsonNode answer = controller.list(FREEZES);
        List<JsonNode> freezes = answer.path("items").valueStream()
                .filter(freeze -> service == null || !freeze.hasNonNull("service")
                        || freeze.path("service").asString("").equals(service))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        freezes.forEach(freeze -> rows.add(List.of(text(freeze.path("id")), serviceOf(freeze), local(freeze, "from"),
                local(freeze, "to"), text(freeze.path("actor")), text(freeze.path("reason")))));
        options.print(answer, rows.isEmpty()
                ? List.of("No freeze is ahead or in force.")
                : ClientOptions.LAYOUT.table(List.of("FREEZE", "SERVICE", "FROM", "TO", "BY", "REASON"), rows));
    }

    private void add(ControllerClient controller) throws IOException, InterruptedException {
        if (to == null || reason == null || reason.isBlank()) {
            throw mistake("A freeze needs its end and a reason: redliner freeze add --to 'monday 06:00' --reason TEXT");
        }
        Instant begin = options.instant("--from", from == null ? "now" : from, Side.FUTURE);
        Instant end = options.instantAfter("--to", to, begin);
        if (!begin.isBefore(end)) {
            throw mistake("--to is not after --from: from "
                    + options.show(begin) + " to " + options.show(end));
        }
        ObjectNode order = controller.object();
        if (service != null) {
            options.requireService(controller, service);
            order.put("service", service);
        }
        order.put("from", begin.toString()).put("to", end.toString()).put("reason", reason);
        JsonNode added = controller.post(FREEZES, order);
        options.print(added, List.of("Frozen: " + serviceOf(added) + ", from " + local(added, "from") + " to "
                + local(added, "to"), "End it before: redliner freeze end " + text(added.path("id"))));
    }

    private void end(ControllerClient controller, String letters) throws IOException, InterruptedException {
        List<JsonNode> found = controller.list(FREEZES).path("items").valueStream()
                .filter(freeze -> freeze.path("id").asString("").startsWith(letters)).toList();
        if (letters.length() < RunIdPrefix.MIN_LETTERS || found.size() != 1) {
            throw mistake("'" + letters + "' is not the id of one freeze, or its first "
                    + RunIdPrefix.MIN_LETTERS + " letters; redliner freeze lists them");
        }
        JsonNode freeze = found.getFirst();
        controller.delete(FREEZES + "/" + ClientOptions.encode(freeze.path("id").asString("")));
        options.print(freeze, List.of("Ended: the freeze of " + serviceOf(freeze) + " by " + text(freeze.path("actor"))
                + ", " + text(freeze.path("reason"))));
    }

    private static String serviceOf(JsonNode freeze) {
        return freeze.hasNonNull("service") ? text(freeze.path("service")) : "all services";
    }

    private String local(JsonNode freeze, String field) {
        Instant instant = instant(freeze.path(field));
        return instant == null ? text(freeze.path(field)) : options.show(instant);
    }
}
