// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;

/**
 * Requests of the service's route in one window that went to none of its instances.
 *
 * @param requests more than 0
 * @param addresses that got them, the busiest first; at most five
 */
public record Elsewhere(long requests, List<String> addresses) {

    public Elsewhere {
        addresses = List.copyOf(addresses);
    }
}
