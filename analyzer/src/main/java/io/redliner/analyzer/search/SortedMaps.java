// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies maps in the order of their keys: a replay in another process must add up in the same order. */
final class SortedMaps {

    private SortedMaps() {}

    static <V> SortedMap<String, V> copyOf(Map<String, V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
