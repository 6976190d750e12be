// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.redirector.routing.Redirect;
import java.util.Set;

/**
 * What a proxy runs.
 *
 * @param name with its version, for people
 * @param modes that it knows; it would take any other one, and do something else
 */
public record ProxySoftware(String name, Set<Redirect.Mode> modes) {

    public ProxySoftware {
        modes = Set.copyOf(modes);
    }
}
