// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.share.ProxyEvents.StreamId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** All open streams. Confined to one thread. */
final class Proxies {

    private final Map<StreamId, ProxyStream> streams = new LinkedHashMap<>();

    void open(StreamId id, ProxyStream stream) {
        streams.put(id, stream);
    }

    void close(StreamId id) {
        streams.remove(id);
    }

    /** Does nothing when the stream is not open: what a proxy said before it left does not count any more. */
    void change(StreamId id, UnaryOperator<ProxyStream> change) {
        streams.computeIfPresent(id, (same, stream) -> change.apply(stream));
    }

    /** By node id. */
    List<Proxy> all() {
        return streams.values().stream()
                .collect(Collectors.groupingBy(ProxyStream::node, TreeMap::new, Collectors.toList()))
                .entrySet().stream()
                .map(entry -> new Proxy(entry.getKey(), entry.getValue()))
                .toList();
    }
}
