// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import java.util.List;
import java.util.Map;

/** Where arrangements go: the proxies. */
public interface DataPlane {

    /**
     * Tells every proxy, connected now or later, to do this; what has not changed is not sent again. An override whose
     * expiry moved is renewed.
     *
     * @param arrangements one for each service
     * @return by service name, the version of each resource that has to be acknowledged; versions are made from content,
     *         so the same arrangement has the same versions in every process
     */
    Map<String, Map<ResourceKey, String>> arrange(List<Arrangement> arrangements);
}
