// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.io.Serial;

/** A service has a live run already. */
public final class ServiceBusyException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String runId;

    /** @param what the service or the conflict group */
    public ServiceBusyException(String what, String runId) {
        super(what + " is being tested by run " + runId);
        this.runId = runId;
    }

    /** The run that holds the service. */
    public String runId() {
        return runId;
    }
}
