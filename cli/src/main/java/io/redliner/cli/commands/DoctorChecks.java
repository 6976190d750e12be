// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static io.redliner.cli.client.TerminalSafeText.instant;
import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;
import static io.redliner.cli.client.TerminalSafeText.time;

import io.redliner.cli.watch.NumberFormatter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Judges what a controller reports about itself, its services and their newest runs. */
final class DoctorChecks {

    private static final String TROUBLESHOOTING = "docs/troubleshooting.md";

    /** Two clocks are compared in whole seconds, and an answer takes time. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(3);

    /** Age of a newest window from which it is late, beside twice its length. */
    private static final Duration MAX_WINDOW_AGE = Duration.ofSeconds(15);

    /** Age of an end of a run from which its windows say nothing about now. */
    private static final Duration MAX_RUN_AGE = Duration.ofDays(1);

    private static final Set<String> BEFORE_WINDOWS = Set.of("Pending", "Preparing");

    /** Parts of a controller's health in a user's words; of the others the name is shown. */
    private static final Map<String, String> PARTS = Map.of("db", "database", "topics", "Kafka", "driverHealth", "runs",
            "driverThreads", "threads of runs", "folderHealth", "plan folder", "scheduleHealth", "schedules",
            "notifyHealth", "notifications", "deploymentHealth", "deployments", "proxyRefusals",
            "what the proxy takes");

    private static final Map<String, String> ADVICE = Map.of("db",
            "start PostgreSQL, and see spring.datasource.url of the controller", "topics",
            "start Kafka, and see redliner.kafka.bootstrap-servers of the controller");

    private DoctorChecks() {}

    /** Conditions of a thing, the worst last. */
    enum Status {
        /** The thing works. */
        OK,
        /** The condition is not known. */
        UNKNOWN,
        /** The thing is missing, or does not work. */
        FAULT
    }

    /**
     * A finding about one thing.
     *
     * @param advice the next step; empty when none is needed
     */
    record Check(Status status, String subject, String finding, String advice) {

        /** Returns the lines for people. */
        List<String> lines() {
            String mark = switch (status) {
                case OK -> "ok       ";
                case UNKNOWN -> "unknown  ";
                case FAULT -> "FAULT    ";
            };
            return advice.isEmpty()
                    ? List.of(mark + subject + ": " + finding)
                    : List.of(mark + subject + ": " + finding, "         do: " + advice);
        }
    }

    static Status worst(List<Check> checks) {
        return checks.stream().map(Check::status).max(Comparator.naturalOrder()).orElse(Status.UNKNOWN);
    }

    /** Returns the last line for people. */
    static String summary(List<Check> checks) {
        long faults = checks.stream().filter(check -> check.status == Status.FAULT).count();
        long unknown = checks.stream().filter(check -> check.status == Status.UNKNOWN).count();
        return switch (worst(checks)) {
            case OK -> "All is there.";
            case UNKNOWN -> "Nothing is missing as far as is known; not known: " + unknown + ".";
            case FAULT -> "Missing or at fault: " + faults + (unknown == 0 ? "." : "; not known: " + unknown + ".");
        };
    }

    /** Returns the checks for programs. */
    static ObjectNode document(List<Check> checks) {
        ObjectNode document = new JsonMapper().createObjectNode().put("status", worst(checks).name());
        ArrayNode items = document.putArray("checks");
        checks.forEach(check -> items.addObject().put("status", check.status.name()).put("subject", check.subject)
                .put("finding", check.finding).put("advice", check.advice));
        return document;
    }

    /** @param controller the controller's clock; null when it does not say */
    static Check clock(@Nullable Instant controller, Instant here) {
        if (controller == null) {
            return new Check(Status.UNKNOWN, "clock", "the controller's answers have no Date", "");
        }
        Duration ahead = Duration.between(controller, here);
        return ahead.abs().compareTo(MAX_CLOCK_DIFFERENCE) <= 0
                ? new Check(Status.OK, "clock", "this machine's and the controller's agree", "")
                : new Check(Status.FAULT, "clock", "this machine's is " + NumberFormatter.clock(ahead.abs())
                        + (ahead.isNegative() ? " behind" : " ahead of") + " the controller's",
                        "set both by NTP: schedules, freezes and certificates go by them");
    }

    /** Returns a check for the database, one for Kafka, and one for each other part that is not well. */
    static List<Check> health(JsonNode health) {
        JsonNode parts = health.path("components");
        if (!parts.isObject()) {
            boolean up = health.path("status").asString("").equals("UP");
            return List.of(up
                    ? new Check(Status.UNKNOWN, "database, Kafka",
                            "the controller is well, and names its parts to known callers alone",
                            "give a token in REDLINER_TOKEN")
                    : new Check(Status.FAULT, "database, Kafka", "the controller's health is "
                            + text(health.path("status")), "give a token in REDLINER_TOKEN to see why"));
        }
        List<Check> checks = new ArrayList<>();
        for (Map.Entry<String, JsonNode> part : parts.properties()) {
            boolean up = text(part.getValue().path("status")).equals("UP");
            if (!up || ADVICE.containsKey(part.getKey())) {
                checks.add(new Check(up ? Status.OK : Status.FAULT,
                        PARTS.getOrDefault(part.getKey(), part.getKey()),
                        up ? "the controller reaches it" : fault(part.getValue()), up
                                ? ""
                                : ADVICE.getOrDefault(part.getKey(),
                                        "see the controller's log, and " + TROUBLESHOOTING)));
            }
        }
        for (String needed : List.of("db", "topics")) {
            if (!parts.has(needed)) {
                checks.add(new Check(Status.UNKNOWN, PARTS.getOrDefault(needed, needed),
                        "the controller's health does not name it", ""));
            }
        }
        return checks;
    }

    private static String fault(JsonNode part) {
        List<String> details = new ArrayList<>();
        part.path("details").properties().forEach(detail -> details.add(detail.getKey() + " "
                + (detail.getValue().isValueNode() ? text(detail.getValue()) : detail.getValue().toString())));
        return text(part.path("status")) + (details.isEmpty() ? "" : ", " + String.join(", ", details));
    }

    static Check caller(JsonNode caller) {
        String role = text(caller.path("role")).toLowerCase(Locale.ROOT);
        return role.isEmpty()
                ? new Check(Status.FAULT, "caller", text(caller.path("name")) + " has no role, so nothing is allowed",
                        "ask an admin for one")
                : new Check(Status.OK, "caller", "you are " + text(caller.path("name")) + ", " + role, "");
    }

    static Check killSwitch(JsonNode state) {
        return state.path("engaged").asBoolean()
                ? new Check(Status.FAULT, "kill switch", "engaged since " + time(state.path("at")) + " by "
                        + text(state.path("actor")) + ": " + text(state.path("reason")) + "; nothing begins",
                        "when the reason is gone: redliner kill-switch release --reason TEXT")
                : new Check(Status.OK, "kill switch", "not engaged", "");
    }

    /** @param service that was asked for; null for all */
    static Check noService(@Nullable String service) {
        return new Check(Status.FAULT, "redirectors", service == null
                ? "none reports a service"
                : "none reports " + service + " any more",
                "start one with a services file; redliner init writes one");
    }

    /** Returns the checks of a service that a redirector reports. */
    static List<Check> service(JsonNode service) {
        String of = " of " + text(service.path("name"));
        List<Check> checks = new ArrayList<>();
        checks.add(service.path("fresh").asBoolean()
                ? new Check(Status.OK, "redirector" + of, names(service.path("redirectors")) + ", instances: "
                        + service.path("instances").size(), "")
                : new Check(Status.FAULT, "redirector" + of,
                        "has not reported it since " + time(service.path("lastSeen")),
                        "look whether it runs and reaches Kafka"));
        int connected = service.path("proxiesConnected").asInt();
        checks.add(connected > 0
                ? new Check(Status.OK, "proxies" + of, connected + " connected", "")
                : new Check(Status.FAULT, "proxies" + of, "none is connected",
                        "start Envoy with a bootstrap that names the redirector, see docs/integration"));
        service.path("proxies").forEach(proxy -> {
            if (proxy.hasNonNull("refusal")) {
                checks.add(new Check(Status.FAULT, "proxy " + text(proxy.path("node")),
                        "refuses the configuration" + of + ": " + text(proxy.path("refusal")),
                        "mend the services file or the proxy's bootstrap"));
            }
        });
        if (service.path("instances").size() < 2) {
            checks.add(new Check(Status.FAULT, "instances" + of, "there are fewer than two",
                    "name two or more in the services file: what one does not get, another has to take"));
        }
        service.path("alarms").forEach(alarm -> checks
                .add(new Check(Status.FAULT, "alarm" + of, text(alarm), "see " + TROUBLESHOOTING)));
        return checks;
    }

    private static String names(JsonNode names) {
        return String.join(", ", names.valueStream().map(name -> text(name)).toList());
    }

    /**
     * Judges whether requests are observed: a window comes from the proxies' access log through collector, Kafka and analyzer.
     *
     * @param run the service's newest run with its newest window; an empty object when there is none
     */
    static Check observations(String service, JsonNode run, Instant now) {
        String subject = "observations of " + service;
        if (!run.has("id")) {
            return new Check(Status.UNKNOWN, subject, "no run has asked for them yet",
                    "send its clients to the address of the services file, then redliner run PLAN --watch");
        }
        JsonNode window = run.path("window");
        String which = "run " + text(run.path("id"));
        Instant begun = instant(window.path("startedAt"));
        boolean over = text(run.path("phase")).equals("Finished");
        if (begun == null) {
            return over || !BEFORE_WINDOWS.contains(text(run.path("phase")))
                    ? new Check(Status.FAULT, subject,
                            which + " has none" + (over ? ": " + text(run.at("/stopReason/detail")) : ""),
                            "look at the proxies' access log, the collector and the analyzer, see " + TROUBLESHOOTING)
                    : new Check(Status.UNKNOWN, subject, which + " has only begun", "ask again in 20 s");
        }
        String rate = NumberFormatter.count(number(window.path("requestsPerSecond"))) + " requests/s at the SUT of "
                + which;
        if (over) {
            Instant end = instant(run.path("finishedAt"));
            return end != null && Duration.between(end, now).compareTo(MAX_RUN_AGE) < 0
                    ? new Check(Status.OK, subject, rate + ", over since " + end, "")
                    : new Check(Status.UNKNOWN, subject, "the newest are of " + which + ", over since " + end,
                            "redliner run PLAN --watch shows whether they come today");
        }
        Duration age = Duration.between(begun, now);
        Duration late = MAX_WINDOW_AGE.plusMillis((long) (2000 * window.path("lengthSeconds").asDouble(1)));
        return age.compareTo(late) <= 0
                ? new Check(Status.OK, subject, rate + ", " + NumberFormatter.clock(age) + " ago", "")
                : new Check(Status.FAULT, subject,
                        "the newest of " + which + " is " + NumberFormatter.clock(age) + " old",
                        "look at the collector and the analyzer, see " + TROUBLESHOOTING);
    }
}
