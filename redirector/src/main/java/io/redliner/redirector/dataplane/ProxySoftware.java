// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

import io.redliner.contract.redirect.RedirectMode;
import java.util.Set;

/**
 * The software of a proxy.
 *
 * @param name with its version, for people
 * @param modes that it supports; it would acknowledge any other one, and route otherwise
 */
public record ProxySoftware(String name, Set<RedirectMode> modes) {

    public ProxySoftware {
        modes = Set.copyOf(modes);
    }
}
