// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunEvent;
import java.util.List;

class InMemoryRunRepositoryTest extends RunRepositoryContract {

    private static final InMemoryRunRepository REPOSITORY = new InMemoryRunRepository();

    @Override
    protected RunRepository first() {
        return REPOSITORY;
    }

    @Override
    protected RunRepository second() {
        return REPOSITORY;
    }

    @Override
    protected List<RunEvent> journal(String runId) {
        return REPOSITORY.events(runId);
    }
}
