// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.WindowVerdict;

/** Takes what arrived. Called on the inbox's thread; must not block. */
public interface VerdictListener {

    /** A window was judged. */
    void verdict(String service, WindowVerdict verdict);

    /** A redirector said something of a service. */
    void status(ServiceReport service, RedirectorReport report);
}
