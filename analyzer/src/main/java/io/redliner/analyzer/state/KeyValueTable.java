// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Storage for the analysis of a partition. Writes survive in their order: when a later one does, all earlier ones do. */
public interface KeyValueTable {

    byte @Nullable [] get(String key);

    void put(String key, byte[] value);

    void delete(String key);

    /** Passes all entries to the action, in no order. The action must not change the table. */
    void forEach(BiConsumer<String, byte[]> action);

    /** Creates a table that lasts as long as the process. */
    static KeyValueTable inMemory() {
        return new InMemory(new TreeMap<>());
    }

    /** A table on a map. */
    record InMemory(Map<String, byte[]> entries) implements KeyValueTable {

        @Override
        public byte @Nullable [] get(String key) {
            return entries.get(key);
        }

        @Override
        public void put(String key, byte[] value) {
            entries.put(key, value);
        }

        @Override
        public void delete(String key) {
            entries.remove(key);
        }

        @Override
        public void forEach(BiConsumer<String, byte[]> action) {
            entries.forEach(action);
        }
    }
}
