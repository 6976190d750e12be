// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

/**
 * One thing that a proxy acknowledges.
 *
 * @param name as the proxy knows it; for a {@link Kind#SHARE} the service's name
 */
public record ResourceKey(Kind kind, String name) {

    /** The version of a {@link Kind#SHARE} that nobody moved. */
    public static final String NATURAL_SHARE = "natural";

    /** What kind of thing. */
    public enum Kind {
        /** A group of instances. */
        CLUSTER(StreamKind.CONFIGURATION),
        /** The addresses of a group. */
        ENDPOINTS(StreamKind.CONFIGURATION),
        /** A port. */
        LISTENER(StreamKind.CONFIGURATION),
        /** Which traffic goes to which group. */
        ROUTE(StreamKind.CONFIGURATION),
        /** The override of a service's weights. */
        SHARE(StreamKind.SHARES);

        private final StreamKind channel;

        Kind(StreamKind channel) {
            this.channel = channel;
        }

        /** The stream that it travels on. */
        public StreamKind channel() {
            return channel;
        }
    }

    /** What a proxy is subscribed to; over ADS both travel on one stream. */
    public enum StreamKind {
        /** Clusters, endpoints, listeners and routes. */
        CONFIGURATION,
        /** Overrides of weights. */
        SHARES
    }
}
