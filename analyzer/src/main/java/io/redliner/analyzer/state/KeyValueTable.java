// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Where a partition's analysis is kept. What was put first is kept when what was put later is. */
public interface KeyValueTable {

    byte @Nullable [] get(String key);

    void put(String key, byte[] value);

    void delete(String key);

    /** Everything, in no order. Nothing is to be changed meanwhile. */
    void forEach(BiConsumer<String, byte[]> action);

    /** One that lasts as long as the process. */
    static KeyValueTable inMemory() {
        return new InMemory(new TreeMap<>());
    }

    /** Over a map. */
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
