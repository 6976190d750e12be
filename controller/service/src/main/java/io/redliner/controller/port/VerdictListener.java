// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.port;

import io.redliner.controller.catalog.ServiceReport;
import io.redliner.controller.run.RedirectorReport;
import io.redliner.controller.run.WindowVerdict;

/** Takes what arrived. Called on the inbox's thread; must not block. */
public interface VerdictListener {

    /** A window was judged. */
    void verdict(String service, WindowVerdict verdict);

    /** A redirector said something of a service. */
    void status(ServiceReport service, RedirectorReport report);
}
