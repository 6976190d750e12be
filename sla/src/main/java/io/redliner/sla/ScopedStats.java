// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Measurements of one window by scope, on which rules are evaluated.
 *
 * @param byScope a scope without an entry has no data, and rules on it are inconclusive
 */
public record ScopedStats(Map<Scope, WindowStats> byScope) {

    public ScopedStats {
        byScope = Map.copyOf(byScope);
    }

    /** Returns the measurements of a scope; empty without data. */
    public Optional<WindowStats> of(Scope scope) {
        return Optional.ofNullable(byScope.get(scope));
    }

    /** Returns a copy with one scope replaced. */
    public ScopedStats with(Scope scope, WindowStats measured) {
        var changed = new EnumMap<Scope, WindowStats>(Scope.class);
        changed.putAll(byScope);
        changed.put(scope, measured);
        return new ScopedStats(changed);
    }
}
