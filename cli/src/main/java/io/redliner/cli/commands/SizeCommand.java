// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.NumberFormatter;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner size}: how many instances a target needs. */
@Command(name = "size", mixinStandardHelpOptions = true, description = {
    "Says how many instances a target needs, from the lower end of a measured capacity, or of one that is given.",
    "What is left out is as on the page of a service, so that both give one answer.",
    "Changes nothing."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:there is an answer", "1:no fleet can do that, or no capacity is known",
        "2:the command line cannot be understood"})
final class SizeCommand extends ControllerCommand {

    /** The capacity of one instance, measured or given. */
    static final class Basis {

        @Option(names = "--service", required = true, paramLabel = "SERVICE", description = "Whose measured capacity counts.")
        private @Nullable String service;

        @Option(names = "--capacity", required = true, paramLabel = "RATE", description = "What one instance takes, requests/s.")
        private @Nullable BigDecimal capacity;
    }

    @ArgGroup(multiplicity = "1")
    private Basis basis = new Basis();

    @Option(names = "--target", required = true, paramLabel = "RATE", description = "What the fleet has to carry, requests/s.")
    private BigDecimal target = BigDecimal.ZERO;

    @Mixin
    private SizingOptions sizing = new SizingOptions();

    @Option(names = "--failure-domains", paramLabel = "NUMBER", defaultValue = "3", description = "Any one of so many may be lost (default: ${DEFAULT-VALUE}).")
    private int failureDomains;

    @Option(names = "--survive-loss", arity = "0..1", defaultValue = "true", fallbackValue = "true", paramLabel = "BOOLEAN", description = "Whether the loss of a failure domain has to be survived (default: ${DEFAULT-VALUE}).")
    private boolean surviveLoss;

    @Option(names = "--headroom-at-loss", paramLabel = "PART", defaultValue = "0%", description = "The part that stays free while one is lost (default: 0%%).")
    private String headroomAtLoss = "";

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        requirePositive("--target", target);
        if (basis.capacity != null) {
            requirePositive("--capacity", basis.capacity);
        }
        JsonNode answer = controller.post("/api/v1/sizing", order(controller.object()));
        options.print(answer, lines(answer));
        return 0;
    }

    private void requirePositive(String option, BigDecimal rate) {
        if (rate.signum() <= 0) {
            throw mistake(option + " is a rate in requests/s above 0, not " + rate.toPlainString());
        }
    }

    private ObjectNode order(ObjectNode order) {
        order.put("targetRequestsPerSecond", target);
        if (basis.capacity != null) {
            order.putObject("capacity").put("low", basis.capacity);
        } else {
            order.put("service", basis.service);
        }
        return sizing.addTo(order, failureDomains, surviveLoss, headroomAtLoss);
    }

    private static List<String> lines(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        for (JsonNode option : answer.path("classes")) {
            String hardware = text(option.path("hardware"));
            lines.add(option.path("instances").asString("?") + " instances"
                    + (hardware.isEmpty() ? "" : " of hardware " + hardware) + ", each takes "
                    + NumberFormatter.count(number(option.path("low"))) + " requests/s"
                    + domains(option.path("perDomain")));
            measured(option.path("capacity"), lines);
            working("  ordinarily", option.path("normal"), lines);
            working("  with one failure domain lost", option.path("domainLost"), lines);
        }
        if (answer.path("headroom").isNumber()) {
            lines.add(
                    "Asked: " + NumberFormatter.percent(number(answer.path("headroom"))) + " headroom, failure domains "
                            + text(answer.path("failureDomains")) + (answer.path("surviveLoss").asBoolean()
                                    ? ", any one may be lost with "
                                            + NumberFormatter.percent(number(answer.path("headroomAtLoss")))
                                            + " headroom then"
                                    : ", none is lost"));
        }
        lines.add("Assumed: " + text(answer.path("assumption")));
        return lines;
    }

    /** Adds the line about the measured capacity, with its doubts. */
    private static void measured(JsonNode capacity, List<String> lines) {
        if (capacity.isObject()) {
            String certainty = text(capacity.at("/certainty/words"));
            lines.add("  measured in run " + text(capacity.path("runId")) + ", recorded "
                    + text(capacity.path("recordedAt"))
                    + (capacity.path("lowerBound").asBoolean(false) ? ", a lower bound" : "")
                    + (capacity.path("stale").asBoolean(false) ? ", out of date" : "")
                    + (certainty.isEmpty() ? "" : ", " + certainty));
        }
    }

    private static String domains(JsonNode perDomain) {
        return perDomain.size() < 2
                ? ""
                : "; per failure domain " + perDomain.valueStream().map(JsonNode::asString)
                        .collect(Collectors.joining(" + "));
    }

    private static void working(String when, JsonNode working, List<String> lines) {
        if (working.isObject()) {
            lines.add(when + ": " + working.path("instances").asString("?") + " instances with "
                    + NumberFormatter.count(number(working.path("load"))) + " requests/s each, "
                    + NumberFormatter.percent(number(working.path("utilisation"))) + " of what they can");
        }
    }
}
