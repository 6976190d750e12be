// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

/** Finds fleets through one kind of source. */
public interface EndpointDiscovery<S extends EndpointSource> {

    /** The kind. */
    Class<S> kind();

    /** Tells the listener of this fleet, now and at each change, until the watch is closed. Does not wait for an answer. */
    Watch watch(S source, EndpointListener listener);

    /** One that is going on. */
    interface Watch extends AutoCloseable {

        /** Ends it. */
        @Override
        void close();
    }
}
