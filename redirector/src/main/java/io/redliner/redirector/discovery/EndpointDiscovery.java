// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.Instance;
import java.util.Collection;

/** Finds instances through one kind of source. */
public interface EndpointDiscovery<S extends EndpointSource> {

    /** Returns the kind of source. */
    Class<S> kind();

    /** Reports the instances to the listener, now and at each change, until the watch is closed. Does not block. */
    Watch watch(S source, Listener listener);

    /** A running subscription. */
    interface Watch extends AutoCloseable {

        /** Ends the subscription. */
        @Override
        void close();
    }

    /** Receives the instances that a source found. Called from any thread, as often as the source likes. */
    interface Listener {

        /** The source has these instances now. */
        void found(Collection<Instance> instances);

        /**
         * The instances could not be found.
         *
         * @param reason the same words for the same cause: a change of them is logged
         */
        void failed(String reason);
    }
}
