// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest word of the controllers on each service, as it was sent. */
interface Runs {

    byte @Nullable [] get(String service);

    void put(String service, byte[] run);

    void delete(String service);

    /** That last as long as the process. */
    static Runs inMemory() {
        Map<String, byte[]> runs = new HashMap<>();
        return new Runs() {
            @Override
            public byte @Nullable [] get(String service) {
                return runs.get(service);
            }

            @Override
            public void put(String service, byte[] run) {
                runs.put(service, run);
            }

            @Override
            public void delete(String service) {
                runs.remove(service);
            }
        };
    }
}
