// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

/**
 * One thing that a proxy acknowledges.
 *
 * @param type what it is, in the data plane's own words
 * @param name as the proxy knows it; of a share, the service's
 */
public record ResourceKey(StreamKind channel, String type, String name) {

    /** The version of a share that nobody moved. */
    public static final String NATURAL_SHARE = "natural";

    /** The type of shares. */
    public static final String SHARE = "SHARE";

    /** What a proxy is subscribed to; both may travel on one stream. */
    public enum StreamKind {
        /** What a share needs before it can be sent. */
        CONFIGURATION,
        /** The shares of the services. */
        SHARES
    }

    /** A service's share. */
    public static ResourceKey share(String service) {
        return new ResourceKey(StreamKind.SHARES, SHARE, service);
    }

    boolean isShare() {
        return channel == StreamKind.SHARES;
    }

    @Override
    public String toString() {
        return type + " " + name;
    }
}
