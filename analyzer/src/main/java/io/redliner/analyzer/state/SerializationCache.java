// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Function;
import tools.jackson.databind.DatabindContext;

/**
 * What the parts of the last state were encoded as. Most of a state is the same objects, window after window; these are
 * not encoded again. For one thread and the states of one service.
 */
public final class SerializationCache {

    private IdentityHashMap<Object, Object> known = new IdentityHashMap<>();

    private IdentityHashMap<Object, Object> used = new IdentityHashMap<>();

    /** The one that the state which is being written belongs to. */
    static SerializationCache of(DatabindContext context) {
        return (SerializationCache) Objects.requireNonNull(context.getAttribute(SerializationCache.class));
    }

    /** A new state is written: what is not in it need not be known any more. */
    void begin() {
        known = used;
        used = new IdentityHashMap<>();
    }

    /** @param encoding always the same for the same kind of parts */
    @SuppressWarnings("unchecked") // It was put there by the same encoding.
    <T, E> E get(T part, Function<? super T, E> encoding) {
        var earlier = known.get(part);
        var encoded = earlier == null ? encoding.apply(part) : (E) earlier;
        used.put(part, encoded);
        return encoded;
    }
}
