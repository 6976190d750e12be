// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

/** Where changes of services and fleets come in. Called from any thread, one call after the other. */
public interface CatalogIntake {

    /** From now on these are the services. */
    void replaced(ServiceCatalog catalog);
}
