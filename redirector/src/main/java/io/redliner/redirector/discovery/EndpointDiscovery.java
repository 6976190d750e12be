// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

/** Finds instances through one kind of source. */
public interface EndpointDiscovery<S extends EndpointSource> {

    /** The kind of source. */
    Class<S> kind();

    /** Reports the instances to the listener, now and at each change, until the watch is closed. Does not block. */
    Watch watch(S source, EndpointListener listener);

    /** A running subscription. */
    interface Watch extends AutoCloseable {

        /** Ends the subscription. */
        @Override
        void close();
    }
}
