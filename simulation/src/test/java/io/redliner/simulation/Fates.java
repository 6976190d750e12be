// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.StopCode;
import io.redliner.simulation.Network.Place;
import java.time.Duration;
import java.util.List;

/** Lets happen what a scenario has in store. */
final class Fates {

    /** A process that lost its connection reconnects after so long, ms. */
    private static final int RECONNECTION = 1500;

    /** Until a connection that nothing comes over is given up, ms. */
    private static final long KEEPALIVE = 5000;

    private final LoopSimulation loop;

    private final Scenario scenario;

    private final VirtualTime time;

    Fates(LoopSimulation loop, Scenario scenario) {
        this.loop = loop;
        this.scenario = scenario;
        this.time = loop.time;
    }

    /** @param submission when the run is wanted, ms */
    void plan(long submission) {
        for (Misfortune misfortune : scenario.misfortunes()) {
            time.at(submission + misfortune.at(), () -> happen(misfortune));
        }
    }

    private void happen(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case ANALYZER_FAILS_OVER, ANALYZER_FORGETS, ANALYZER_DIES, ANALYZER_HANGS, COLLECTOR_DIES,
                    COLLECTOR_CUT_OFF ->
                telemetry(misfortune);
            case REDIRECTOR_DIES, REDIRECTOR_RESTARTS, REDIRECTOR_CUT_OFF -> redirector(misfortune);
            case PROXIES_MOVE, PROXIES_CUT_OFF, PROXY_LIES, PROXY_SILENT, PROXY_REFUSES -> proxies(misfortune);
            case CONTROLLER_DIES, CONTROLLER_REPLACED, CONTROLLER_CUT_OFF, CONTROLLER_STOPS, CLOCK_SET ->
                controller(misfortune);
            case ABORT, PAUSE, KILL_SWITCH, FREEZE -> somebody(misfortune);
            case FLEET_GROWS, PEERS_FAIL, SUT_SLOWS_DOWN, USERS_LEAVE -> service(misfortune);
        }
    }

    private void telemetry(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case ANALYZER_FAILS_OVER -> {
                loop.analyzer.die();
                boolean behind = loop.random.nextBoolean();
                time.after(misfortune.length() / 4, () -> loop.analyzer.failOver(behind));
            }
            case ANALYZER_FORGETS -> {
                loop.analyzer.die();
                time.after(misfortune.length() / 4, () -> loop.analyzer.forget(LoopSimulation.SERVICE));
            }
            case ANALYZER_DIES -> loop.analyzer.die();
            case ANALYZER_HANGS -> loop.analyzer.hang(misfortune.length());
            case COLLECTOR_DIES -> loop.collecting = false;
            default -> loop.network.cutOff(Place.COLLECTOR, time.now() + misfortune.length());
        }
    }

    private void redirector(Misfortune misfortune) {
        int number = loop.random.nextInt(loop.redirectors.size());
        SimulatedRedirector struck = loop.redirectors.get(number);
        switch (misfortune.kind()) {
            case REDIRECTOR_DIES -> struck.die().forEach(this::reconnect);
            case REDIRECTOR_RESTARTS -> {
                List<SimulatedProxy> left = struck.die();
                time.after(misfortune.length() / 2, () -> {
                    loop.restart(number);
                    left.forEach(this::reconnect);
                });
            }
            default -> loop.network.cutOff(LoopSimulation.place(number), time.now() + misfortune.length());
        }
    }

    /** Reconnects to a redirector that lives by then; to none when none does. */
    private void reconnect(SimulatedProxy proxy) {
        time.after(100 + loop.random.nextInt(RECONNECTION), () -> {
            if (loop.redirectors.stream().noneMatch(other -> other.carries(proxy))) {
                loop.redirectors.stream().filter(SimulatedRedirector::alive).findFirst()
                        .ifPresent(other -> other.connect(proxy));
            }
        });
    }

    private void proxies(Misfortune misfortune) {
        SimulatedProxy struck = loop.proxies.get(loop.random.nextInt(loop.proxies.size()));
        switch (misfortune.kind()) {
            case PROXIES_MOVE -> loop.redirectors.forEach(from -> from.proxies().forEach(proxy -> {
                from.disconnect(proxy);
                time.after(misfortune.length() / 3, () -> {
                    SimulatedRedirector to = loop.redirectors.getLast();
                    if (to.alive() && loop.redirectors.stream().noneMatch(other -> other.carries(proxy))) {
                        to.connect(proxy);
                    }
                });
            }));
            case PROXIES_CUT_OFF -> loop.redirectors.forEach(from -> from.proxies().forEach(proxy -> {
                from.lose(proxy);
                time.after(Math.min(KEEPALIVE, misfortune.length()), () -> from.disconnect(proxy));
                time.after(misfortune.length(), () -> reconnect(proxy));
            }));
            case PROXY_LIES -> struck.lies = true;
            case PROXY_SILENT -> struck.silent = true;
            default -> struck.refuses = true;
        }
    }

    private void controller(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case CONTROLLER_DIES -> {
                loop.driving().die();
                time.after(misfortune.length(), loop::takeOver);
            }
            case CONTROLLER_REPLACED -> loop.takeOver();
            case CONTROLLER_CUT_OFF -> loop.network.cutOff(Place.CONTROLLER, time.now() + misfortune.length());
            case CONTROLLER_STOPS -> loop.driving().step(new RunEvent.ControllerStopping());
            default -> loop.driving().setClock(Duration.ofMillis(loop.random.nextInt(40_000) - 20_000));
        }
    }

    private void somebody(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case ABORT -> loop.driving().step(new RunEvent.AbortRequested("somebody"));
            case PAUSE -> {
                loop.driving().step(new RunEvent.PauseRequested("wait"));
                time.after(misfortune.length(), () -> loop.driving().step(new RunEvent.ResumeRequested("go")));
            }
            case KILL_SWITCH -> loop.driving().step(new RunEvent.Halted(StopCode.KILL_SWITCH, "not now"));
            default -> loop.driving().step(new RunEvent.Halted(StopCode.FREEZE, "no tests today"));
        }
    }

    private void service(Misfortune misfortune) {
        switch (misfortune.kind()) {
            case FLEET_GROWS -> loop.redirectors.forEach(redirector -> redirector.replaced(loop.service(1)));
            case PEERS_FAIL -> loop.users.peersFail(0.3);
            case SUT_SLOWS_DOWN -> loop.users.slowDown(1.1 + 2 * loop.random.nextDouble());
            default -> {
                loop.users.leave(0.5, time.now());
                time.after(misfortune.length(), () -> loop.users.comeBack(time.now()));
            }
        }
    }
}
