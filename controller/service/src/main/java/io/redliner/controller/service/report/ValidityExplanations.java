// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.Map;

/** Explanations of the validity checks for people who do not know them: what is compared, and what a check that fails means. */
final class ValidityExplanations {

    private static final Map<String, String> BY_CHECK = Map.ofEntries(
            Map.entry("littles-law",
                    "Requests in flight always equal their rate times their mean latency, in any system"
                            + " (Little's law). Where the two differ, requests were lost, counted twice or timed wrongly."),
            Map.entry("throughput",
                    "The requests that ended are counted, and computed a second time from those in flight and"
                            + " their latency. Two ways to one number that do not agree mean that one of the counts is wrong."),
            Map.entry("share",
                    "The requests that arrived at the instance are compared with those that the test asked for."
                            + " Where fewer arrive, something else decides where requests go, such as sticky sessions or retries."),
            Map.entry("peers-latency",
                    "Load that moves away from the other instances should make them faster. When they get"
                            + " slower instead, all instances share what is full, and the capacity is not that of one instance."),
            Map.entry("peers-errors",
                    "The other instances get less load during the test and should not fail more. When they do,"
                            + " all instances share what fails."),
            Map.entry("peers-breaches",
                    "A limit of the tested instance breaks the rules at this instance alone. Rules that break"
                            + " at the others in the same windows were broken by something that all share."),
            Map.entry("noise",
                    "Time in which all other instances were slow as well is left out of the measurement. The more of it"
                            + " there was, the more noise nobody noticed is in the rest, and the capacity comes out too low."),
            Map.entry("neighbours",
                    "Neighbours on the same machines were busy so often that their noise was measured with the"
                            + " instance. The capacity is that beside such neighbours, and higher without them."),
            Map.entry("wander",
                    "The speed of the instance at its natural load is followed from second to second. An instance that"
                            + " is slow at times by itself has no single capacity."),
            Map.entry("stalls",
                    "The instance stood still when requests came and hardly any ended. More than one such stop hides"
                            + " where its limit is."),
            Map.entry("telemetry",
                    "Each window should hold the reports of all proxies and collectors. Windows that lack some are"
                            + " not judged, and many of them leave too little to judge."),
            Map.entry("collector",
                    "The collectors report how late and how busy they are themselves. A collector that cannot keep"
                            + " up counts requests late, so that they fall into the wrong window."),
            Map.entry("analyzer",
                    "The analyzer should judge each window once. Windows that it never judged were lost while it stood"
                            + " still or was replaced."),
            Map.entry("clocks",
                    "Proxies and collectors put the times on what is measured. Clocks that differ put requests into the"
                            + " wrong window."),
            Map.entry("samples",
                    "A percentile needs requests beyond it: one that 1 % may break needs at least 100 requests. With"
                            + " fewer, a single slow request decides."),
            Map.entry("fleet",
                    "The same instances should take requests from the first window to the last. One that joins, leaves or"
                            + " restarts changes the load of the others in the middle of the test."),
            Map.entry("pauses",
                    "A pause of the program breaks a rule at any load. When most broken windows have one, the capacity"
                            + " is that of the pauses, and less of them raises it."),
            Map.entry("host",
                    "Other programs and other machines on the same hardware take CPU time from the instance. Without them"
                            + " it has at least the capacity found."),
            Map.entry("request-ids",
                    "The start and the end of a request are matched by its id. Ids that several requests share can"
                            + " hide requests that hang."),
            Map.entry("unknown-proxies",
                    "Requests should be reported by the proxies that RedLiner moves traffic with. Reports of"
                            + " others are forged, or show traffic that the test does not move."),
            Map.entry("proxies",
                    "All requests pass through a proxy, each connection through one of its threads. A thread that is full"
                            + " may be what limits the throughput, in place of the instance."));

    private ValidityExplanations() {}

    /** Returns two sentences about the check of this name, in kebab case; empty for a check of a newer analyzer. */
    static String of(String check) {
        return BY_CHECK.getOrDefault(check, "");
    }
}
