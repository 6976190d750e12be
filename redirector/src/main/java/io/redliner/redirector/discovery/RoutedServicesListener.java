// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.RoutedServices;

/** Where changes of services and fleets come in. Called from any thread, one call after the other. */
public interface RoutedServicesListener {

    /** From now on these are the services. */
    void replaced(RoutedServices catalog);
}
