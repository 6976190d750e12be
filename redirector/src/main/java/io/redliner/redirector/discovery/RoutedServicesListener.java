// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.RoutedServices;

/** Receives changes of services and of their instances. Called from any thread, one call after the other. */
public interface RoutedServicesListener {

    /** The services are these from now on. */
    void replaced(RoutedServices services);
}
