// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Service;

/** How clusters and runtime keys are called in the proxies. */
final class ProxyNames {

    /** The runtime layer that the proxies' bootstrap names. */
    static final String LAYER = "redliner";

    /** The static cluster of the bootstrap that access logs go to. */
    static final String COLLECTOR_CLUSTER = "redliner_collector";

    private ProxyNames() {}

    static String fleet(Service service) {
        return service.name();
    }

    static String peersOf(Service service, Instance sut) {
        return service.name() + "/peers-of/" + sut.address();
    }

    static String sut(Service service, Instance sut) {
        return service.name() + "/sut/" + sut.address();
    }

    static String runtimeKeyPrefix(Service service) {
        return LAYER + "." + service.name();
    }

    static String runtimeKey(Service service, String cluster) {
        return runtimeKeyPrefix(service) + "." + cluster;
    }
}
