// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.state.KeyValueTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table with its changelog: it can be had as it was after any change. */
final class RecordedTable implements KeyValueTable {

    private final TreeMap<String, byte[]> entries = new TreeMap<>();

    private final List<Consumer<KeyValueTable>> changelog = new ArrayList<>();

    int changes() {
        return changelog.size();
    }

    Set<String> keys() {
        return entries.keySet();
    }

    KeyValueTable after(int changes) {
        var restored = KeyValueTable.inMemory();
        changelog.subList(0, changes).forEach(change -> change.accept(restored));
        return restored;
    }

    @Override
    public byte @Nullable [] get(String key) {
        return entries.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
        entries.put(key, value);
        changelog.add(table -> table.put(key, value));
    }

    @Override
    public void delete(String key) {
        entries.remove(key);
        changelog.add(table -> table.delete(key));
    }

    @Override
    public void forEach(BiConsumer<String, byte[]> action) {
        entries.forEach(action);
    }
}
