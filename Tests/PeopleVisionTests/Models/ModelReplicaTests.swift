import Foundation
import PeopleVision
import Testing

struct ModelReplicaTests {
    @Test func requestsAreSpreadOverAsManyCopiesAsThereAreCores() {
        // Far more than other tests may have at the moment.
        let replicas = (0..<64).map { _ in ModelReplica() }
        let copies = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        #expect(Set(replicas.map(\.number)) == Set(0..<copies))
    }

    @Test func aCopyThatIsFreeIsTakenAgain() {
        let first = ModelReplica().number
        #expect(ModelReplica().number == first)
    }
}
