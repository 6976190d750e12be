// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import io.redliner.sla.Rule;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules that a run is judged by.
 *
 * @param sut the instance under test as host:port
 * @param sla rules that a healthy window satisfies
 * @param guards rules that end a run
 */
public record SlaSpec(String sut, List<Rule> sla, List<Rule> guards) {

    public SlaSpec {
        sla = List.copyOf(sla);
        guards = List.copyOf(guards);
    }

    /** Returns the rules and the guards. */
    public List<Rule> all() {
        return Stream.concat(sla.stream(), guards.stream()).toList();
    }
}
