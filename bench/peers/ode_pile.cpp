// The pile in the Open Dynamics Engine, with its iterative step.
#include <ode/ode.h>

#include "bench/peers/pile_scene.hpp"

namespace nsmc::bench {

namespace {

class OdePile final : public PeerPile {
 public:
  OdePile(const PileScene& scene, int sweeps) : scene_(scene) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -scene.g);
    dWorldSetCFM(world_, 1e-10);
    dWorldSetQuickStepNumIterations(world_, sweeps);
    const double half = scene.half();
    const double planes[5][4] = {
        {0, 0, 1, 0}, {1, 0, 0, -half}, {-1, 0, 0, -half}, {0, 1, 0, -half}, {0, -1, 0, -half}};
    for (const auto& p : planes) dCreatePlane(space_, p[0], p[1], p[2], p[3]);
    for (int i = 0; i < scene.n; ++i) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetSphereTotal(&mass, scene.m, scene.r);
      dBodySetMass(body, &mass);
      const auto x = scene.position(i), v = scene.velocity(i);
      dBodySetPosition(body, x[0], x[1], x[2]);
      dBodySetLinearVel(body, v[0], v[1], v[2]);
      dGeomSetBody(dCreateSphere(space_, scene.r), body);
      bodies_.push_back(body);
    }
  }
  ~OdePile() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step() override {
    dSpaceCollide(space_, this, &touch);
    dWorldQuickStep(world_, scene_.dt);
    dJointGroupEmpty(contacts_);
  }

  PileState state() const override {
    PileState state;
    for (const dBodyID body : bodies_) {
      const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      state.position.push_back({x[0], x[1], x[2]});
      state.velocity.push_back({v[0], v[1], v[2]});
      state.spin.push_back({w[0], w[1], w[2]});
    }
    return state;
  }

 private:
  static void touch(void* self, dGeomID a, dGeomID b) {
    auto& pile = *static_cast<OdePile*>(self);
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = pile.scene_.mu;
    const dJointID joint = dJointCreateContact(pile.world_, pile.contacts_, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }

  PileScene scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<PeerPile> ode_pile(const PileScene& scene, int sweeps) {
  return std::make_unique<OdePile>(scene, sweeps);
}

}  // namespace nsmc::bench
