// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.util.Set;

/** What a proxy says on its aggregated stream, in either kind of xDS. For one thread at a time. */
interface AdsStream {

    /** The kind of xDS. */
    enum Xds {
        WHOLE_STATE, INCREMENTS
    }

    /** Wants these from now on, and of clusters and listeners all there are; nothing is said when that is known already. */
    void subscribe(XdsResourceType kind, Set<String> names);
}
