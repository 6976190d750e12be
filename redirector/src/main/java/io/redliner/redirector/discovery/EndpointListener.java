// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.HostPort;
import java.util.Collection;

/** Receives the instances that a source found. Called from any thread, as often as the source likes. */
public interface EndpointListener {

    /** The source has these addresses now. */
    void found(Collection<HostPort> addresses);

    /**
     * The instances could not be found.
     *
     * @param reason the same words for the same cause: a change of them is logged
     */
    void failed(String reason);
}
