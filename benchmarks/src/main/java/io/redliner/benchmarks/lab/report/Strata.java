// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Groups of servers that a search may find easier or harder; a server is in several. */
public final class Strata {

    private static final Map<String, Predicate<ServerKind>> BY_NAME = byName();

    private Strata() {}

    /** The names, in a fixed order. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /** Whether a server belongs to one of them. */
    public static boolean contains(String stratum, ServerKind kind) {
        var condition = BY_NAME.get(stratum);
        if (condition == null) {
            throw new IllegalArgumentException("no stratum '" + stratum + "': choose from " + names());
        }
        return condition.test(kind);
    }

    private static Map<String, Predicate<ServerKind>> byName() {
        var strata = new LinkedHashMap<String, Predicate<ServerKind>>();
        strata.put("<60/s", kind -> isBetween(kind, 0, 60));
        strata.put("60-300/s", kind -> isBetween(kind, 60, 300));
        strata.put("300-2k/s", kind -> isBetween(kind, 300, 2_000));
        strata.put(">2k/s", kind -> isBetween(kind, 2_000, Double.POSITIVE_INFINITY));
        strata.put("p90", kind -> kind.slowAllowed() > 0.09);
        strata.put("p95", kind -> kind.slowAllowed() > 0.04 && kind.slowAllowed() < 0.09);
        strata.put("p99", kind -> kind.slowAllowed() > 0.005 && kind.slowAllowed() < 0.04);
        strata.put("p99.9", kind -> kind.slowAllowed() < 0.005);
        strata.put("1 worker", kind -> kind.workers() == 1);
        strata.put("32-64", kind -> kind.workers() >= 32);
        strata.put("exp", kind -> kind.service().sigma() < 0);
        strata.put("bimodal", kind -> kind.service().longPart() > 0);
        strata.put("heavy", kind -> kind.service().sigma() >= 1.2);
        strata.put("mild", kind -> kind.contention().linear() > 0 && kind.contention().quadratic() == 0);
        strata.put("retrograd", kind -> kind.contention().quadratic() > 0);
        strata.put("bounded", kind -> kind.queue().capacity() < 4_000);
        strata.put("retries", kind -> kind.queue().retrying() > 0);
        strata.put("gc", kind -> kind.collections().everyRequests() > 0);
        strata.put("quota", kind -> kind.quota().workerSeconds() > 0);
        strata.put("pool", kind -> kind.downstream().connections() > 0);
        strata.put("bursty", kind -> kind.burstiness() > 0);
        strata.put("slow", kind -> kind.bursts().part() > 0);
        strata.put("stalls", kind -> kind.stalls().meanIntervalSeconds() > 0);
        strata.put("warm-up", kind -> kind.warmUp().excess() > 0);
        return strata;
    }

    private static boolean isBetween(ServerKind kind, double low, double high) {
        double capacity = RecordedCapacities.of(kind);
        return capacity >= low && capacity < high;
    }
}
