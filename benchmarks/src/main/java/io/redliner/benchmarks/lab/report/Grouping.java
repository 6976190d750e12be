// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Figures by what runs have in common, in the order in which it first appears. */
final class Grouping {

    private Grouping() {}

    static Map<String, Figures> by(Function<RunResult, String> key, List<RunResult> runs) {
        return runs.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new,
                Collectors.collectingAndThen(Collectors.toList(), Figures::of)));
    }

    static List<RunResult> of(String method, List<RunResult> runs) {
        return runs.stream().filter(run -> run.method().equals(method)).toList();
    }
}
