// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

/**
 * Something that goes wrong, or that somebody wants.
 *
 * @param at ms after the submission
 * @param length ms, of what ends again
 */
record Misfortune(Kind kind, long at, long length) {

    /** What it is. */
    enum Kind {
        /** Its table as of its last commit is found by another process, which is fed again what came since. */
        ANALYZER_FAILS_OVER,
        /** Another process takes over and finds nothing but the controllers' last word. */
        ANALYZER_FORGETS,
        /** It is gone and nobody takes over. */
        ANALYZER_DIES,
        /** It hears and says nothing for a time, then all at once. */
        ANALYZER_HANGS,
        /** No observation any more. */
        COLLECTOR_DIES,
        /** Observations of a time are lost. */
        COLLECTOR_CUT_OFF,
        /** The process with the proxies is gone; they go to the other one, if there is one. */
        REDIRECTOR_DIES,
        /** Another process takes its place, with all leases to read. */
        REDIRECTOR_RESTARTS,
        /** It and Kafka do not see each other; its proxies stay. */
        REDIRECTOR_CUT_OFF,
        /** The proxies leave and go to the other one after a time. */
        PROXIES_MOVE,
        /** The redirectors and their proxies do not hear each other. */
        PROXIES_CUT_OFF,
        /** The process is gone; another one takes the run over after the time. */
        CONTROLLER_DIES,
        /** Another controller takes the run over although the first one lives, hears all and goes on sending. */
        CONTROLLER_REPLACED,
        /** It cannot send and hears nothing. */
        CONTROLLER_CUT_OFF,
        /** It is stopped in an orderly way. */
        CONTROLLER_STOPS,
        /** Its clock is set. */
        CLOCK_SET,
        /** Somebody wants its end. */
        ABORT,
        /** Somebody wants natural traffic for a time. */
        PAUSE,
        /** Nobody may test. */
        KILL_SWITCH,
        /** Nobody may test from then on. */
        FREEZE,
        /** One more instance. */
        FLEET_GROWS,
        /** The peers answer a part of the requests with an error. */
        PEERS_FAIL,
        /** Everything at the SUT takes longer from then on. */
        SUT_SLOWS_DOWN,
        /** Half of the users leave for a time. */
        USERS_LEAVE,
        /** A proxy acknowledges a configuration and does not apply it. */
        PROXY_LIES,
        /** A proxy does not answer any more. */
        PROXY_SILENT,
        /** A proxy refuses shares. */
        PROXY_REFUSES
    }
}
