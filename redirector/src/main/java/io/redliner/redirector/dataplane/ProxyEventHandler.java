// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.util.Map;
import java.util.Set;

/** What proxies say. Called from any thread, in order for each stream. */
public interface ProxyEventHandler {

    /** Names what a proxy is subscribed to on one stream. */
    record StreamId(StreamKind channel, long number) {}

    /**
     * A proxy opened a stream and named its node.
     *
     * @param group the services that it carries are those of this group
     */
    void opened(StreamId stream, String node, String group, ProxySoftware software);

    /** It is gone. */
    void closed(StreamId stream);

    /** Requests to these services, and to no others, pass through the proxy, or would if it took what it refuses. */
    void carries(StreamId stream, Set<String> services);

    /**
     * The proxy took these versions.
     *
     * @param type of the resources
     * @param versions all resources of the type that the proxy has now; a share that is not among them is natural
     */
    void acknowledged(StreamId stream, String type, Map<ResourceKey, String> versions);

    /** The proxy refused and keeps what it had. */
    void refused(StreamId stream, String type, Refusal refusal);

    /**
     * The proxy ejected an instance: it sends it no requests, against the routing. Or it sends requests again.
     *
     * @param address {@code host:port}
     */
    void ejected(String node, String service, String address, boolean out);
}
