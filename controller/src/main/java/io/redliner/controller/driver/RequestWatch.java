// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.RunRequests;
import io.redliner.controller.run.RunEvent;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Tells the runs of this controller what people left in the database for them. A request is taken when what it leads to
 * is stored, and told again until then: what was accepted is not lost with a database that goes away, nor with the
 * controller. All that is open is told each time, in its order, so the last word stays the last.
 */
final class RequestWatch {

    private final RunRequests requests;

    private final RunDriver driver;

    private final InstantSource clock;

    private final Queue<RunRequests.Open> settled = new ConcurrentLinkedQueue<>();

    RequestWatch(RunRequests requests, RunDriver driver, InstantSource clock) {
        this.requests = requests;
        this.driver = driver;
        this.clock = clock;
    }

    void look() {
        for (RunRequests.Open request = settled.peek(); request != null; request = settled.peek()) {
            requests.taken(request, clock.instant());
            settled.remove(request);
        }
        for (RunRequests.Open request : requests.open(driver.drivenRuns())) {
            driver.tell(request.runId(), event(request), () -> settled.add(request));
        }
    }

    private static RunEvent event(RunRequests.Open request) {
        return switch (request.kind()) {
            case ABORT -> new RunEvent.AbortRequested(request.reason());
            case PAUSE -> new RunEvent.PauseRequested(request.reason());
            case RESUME -> new RunEvent.ResumeRequested(request.reason());
        };
    }
}
