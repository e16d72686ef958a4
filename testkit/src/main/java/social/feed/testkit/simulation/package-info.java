/**
 * Simulated histories: random workloads with injected faults, checked against a reference model.
 *
 * <p>A seed determines a history completely; {@link social.feed.testkit.simulation.Simulation} runs
 * it in one thread on an embedded engine, with a clock that only the simulation moves. Each history
 * concentrates on one kind of difficulty, its {@link HistoryFocus}. It has 80 turns. In a turn a
 * {@code SimulatedUsers} action chosen by the {@code WorkloadGenerator} runs, the stream is polled,
 * or an {@code EventLane} delivers one batch to the function under test, the {@link Subject}.
 * {@code Faults} disturb the calls of the API and of the function. An {@code Interleaving} suspends
 * a call and runs other turns within it, which stands for concurrency. At the end all faults stop,
 * everything is delivered, and {@code Audit} compares the stored rows with the {@code
 * ReferenceModel}, which contains only the users' actions. Then the verification of the subject
 * must report nothing. The {@code HistoryLog} records every step for analysis. {@link CrashPoints}
 * is the systematic counterpart: it fails each write of a {@link Flow} once.
 */
@NullMarked
package social.feed.testkit.simulation;

import org.jspecify.annotations.NullMarked;
