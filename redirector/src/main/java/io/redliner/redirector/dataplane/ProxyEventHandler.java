// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.dataplane.ProxyStream.Refusal;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.util.Map;
import java.util.Set;

/** What proxies say. Called from any thread, in order for each stream. */
public interface ProxyEventHandler {

    /** Names a stream: ids of the two channels are counted apart. */
    record StreamId(StreamKind channel, long number) {}

    /**
     * A proxy opened a stream and said who it is.
     *
     * @param group the services that it carries are those of this group
     */
    void opened(StreamId stream, String node, String group, EnvoyVersion version);

    /** It is gone; also called for streams that were never announced. */
    void closed(StreamId stream);

    /** The proxy asks for the routes of these services, and of no others: it carries them. */
    void carries(StreamId stream, Set<String> services);

    /**
     * The proxy took these versions.
     *
     * @param versions all resources of the kind that the proxy has now; a share that is not among them is natural
     */
    void acknowledged(StreamId stream, Kind kind, Map<ResourceKey, String> versions);

    /** The proxy refused and keeps what it had. */
    void refused(StreamId stream, Kind kind, Refusal refusal);

    /**
     * The proxy sends an instance no requests any more though it is told to, or does so again.
     *
     * @param address {@code host:port}
     */
    void ejected(String node, String service, String address, boolean out);
}
