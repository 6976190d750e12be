// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.text;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.cli.watch.NumberFormatter;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner suggest}: the target of an autoscaler from the capacity of one instance. */
@Command(name = "suggest", mixinStandardHelpOptions = true, description = {
    "Prints a HorizontalPodAutoscaler whose target is the lower end of a measured capacity without its headroom.",
    "Of several hardware classes the weakest counts. Applies nothing."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:a sure capacity is its source", "1:no capacity is known", "2:the command line cannot be understood",
        "98:the capacity is doubtful or cannot be known, and the object says so"})
final class SuggestCommand extends ControllerCommand {

    /** The kinds of objects that can be suggested. */
    enum Autoscaler {
        /** Kubernetes' own, autoscaling/v2. */
        HPA;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The name of an object in Kubernetes (RFC 1123). */
    private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    /** The name of a metric, as adapters for Prometheus give it. */
    private static final Pattern METRIC = Pattern.compile("[a-zA-Z0-9_:./-]{1,253}");

    /** Requests/s from which on a target has no decimals. */
    private static final double MIN_WHOLE = 100;

    @Parameters(paramLabel = "AUTOSCALER", description = "${COMPLETION-CANDIDATES}.")
    private @Nullable Autoscaler autoscaler;

    @Option(names = "--service", required = true, paramLabel = "SERVICE", description = "Whose measured capacity counts.")
    private String service = "";

    @Option(names = "--deployment", required = true, paramLabel = "NAME", description = "The Deployment that is scaled.")
    private String deployment = "";

    @Option(names = "--max-replicas", required = true, paramLabel = "NUMBER", description = "The most instances that it may have.")
    private int maxReplicas;

    @Option(names = "--min-replicas", paramLabel = "NUMBER", defaultValue = "2", description = "The fewest (default: ${DEFAULT-VALUE}).")
    private int minReplicas;

    @Mixin
    private SizingOptions sizing = new SizingOptions();

    @Option(names = "--metric", paramLabel = "NAME", defaultValue = "http_requests_per_second", description = "The metric of a pod's requests/s in the custom metrics API (default: ${DEFAULT-VALUE}).")
    private String metric = "";

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        requireName("--deployment", deployment, OBJECT);
        requireName("--metric", metric, METRIC);
        if (minReplicas < 1 || maxReplicas < minReplicas) {
            throw mistake("--min-replicas is 1 or more and --max-replicas not below it, not " + minReplicas + " and "
                    + maxReplicas);
        }
        JsonNode answer = controller.post("/api/v1/sizing", order(controller.object()));
        JsonNode weakest = answer.path("classes").valueStream().filter(each -> each.path("low").asDouble(0) > 0)
                .min(Comparator.comparingDouble(each -> each.path("low").asDouble()))
                .orElseThrow(() -> new IOException("the controller knows no capacity of " + service));
        boolean sure = weakest.at("/capacity/certainty/level").asString("").equals("SURE");
        PrintWriter out = spec.commandLine().getOut();
        out.print(switch (Objects.requireNonNull(autoscaler)) {
            case HPA -> hpa(weakest, answer.path("headroom").asDouble());
        });
        out.flush();
        if (!sure) {
            spec.commandLine().getErr().println(TerminalSafeText.of("This capacity is not sure: "
                    + certainty(weakest.path("capacity")) + ". Test again before you rely on it."));
        }
        return sure ? 0 : ExitCode.INCONCLUSIVE.code();
    }

    private void requireName(String option, String name, Pattern pattern) {
        if (!pattern.matcher(name).matches()) {
            throw mistake(option + " is no name that Kubernetes takes: " + TerminalSafeText.of(name));
        }
    }

    /** Returns the question for the capacity of one instance; the number of instances in its answer does not matter. */
    private ObjectNode order(ObjectNode order) {
        order.put("service", service).put("targetRequestsPerSecond", 1);
        return sizing.addTo(order, 1, false, "0%");
    }

    private String hpa(JsonNode weakest, double free) {
        JsonNode capacity = weakest.path("capacity");
        return """
                # One instance of %s takes at least %s requests/s (run %s, %s): %s.
                # %s of that stays free.
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata:
                  name: %s
                spec:
                  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %s}
                  minReplicas: %d
                  maxReplicas: %d
                  metrics:
                    - type: Pods
                      pods:
                        metric: {name: "%s"}
                        target: {type: AverageValue, averageValue: "%s"}
                """.formatted(TerminalSafeText.of(service), NumberFormatter.count(weakest.path("low").asDouble()),
                text(capacity.path("runId")), text(capacity.path("recordedAt")), certainty(capacity),
                NumberFormatter.percent(free), deployment, deployment, minReplicas, maxReplicas, metric,
                quantity(weakest.path("low").asDouble() * (1 - free)));
    }

    private static String certainty(JsonNode capacity) {
        String words = text(capacity.at("/certainty/words"));
        return (words.isEmpty() ? "sure" : words) + (capacity.path("stale").asBoolean(false) ? ", out of date" : "");
    }

    /** Returns a rate as a quantity of Kubernetes, rounded down: whole, or in thousandths. */
    static String quantity(double requestsPerSecond) {
        return requestsPerSecond >= MIN_WHOLE
                ? Long.toString((long) requestsPerSecond)
                : (long) (1000 * requestsPerSecond) + "m";
    }
}
