// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/**
 * One instance of one service: the subject of a measurement.
 *
 * @param service not empty
 * @param instance as host:port, the same as the proxies call it
 */
public record InstanceId(String service, String instance) {

    public InstanceId {
        if (service.isEmpty() || instance.isEmpty()) {
            throw new IllegalArgumentException("a subject needs a service and an instance: '" + service + "', '"
                    + instance + "'");
        }
    }

    @Override
    public String toString() {
        return instance + " of " + service;
    }
}
