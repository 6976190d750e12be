// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

/** Writes plans that test one instance of a service. A section is a line of YAML below {@code spec}, such as {@code profile: smoke}. */
public final class PlanText {

    private PlanText() {}

    /** Returns a plan with the name of its service. */
    public static String of(String service, String instance, String... sections) {
        return named(service, service, instance, sections);
    }

    /** Returns a plan with a name of its own. */
    public static String named(String name, String service, String instance, String... sections) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  %s
                """.formatted(name, service, instance, String.join("\n  ", sections));
    }

    /**
     * Returns the section of an SLA with one rule, {@code latency}.
     *
     * @param limit on the 99th percentile, such as {@code 100ms}
     */
    public static String sla(String limit) {
        return "sla: [" + latency(limit) + "]";
    }

    /**
     * Returns the section of an SLA with the rules {@code latency} and {@code errors}.
     *
     * @param limit on the 99th percentile, such as {@code 100ms}
     * @param errors the largest ratio of errors
     */
    public static String sla(String limit, String errors) {
        return "sla: [" + latency(limit) + ", {name: errors, expr: \"error_rate <= " + errors + "\"}]";
    }

    private static String latency(String limit) {
        return "{name: latency, expr: \"latency.p99 <= duration('" + limit + "')\"}";
    }
}
